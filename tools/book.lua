-- A filter for pandoc: makes one document of the READMEs. The metadata say what to read, paths from the repository's root:
--   chapters  the files, with spaces between them, in their order; a .csv is the ledger of claims
--   results   the reader's results folder, whose charts stand beside the reference devices'
local stringify = pandoc.utils.stringify

-- step1_naive/README.md is chapter step1_naive, README.md is readme.
local function chapter_id(path)
  return (path:gsub('%.%w+$', ''):gsub('/README$', ''):gsub('.*/', ''):lower())
end

-- `target` as it stands in the file `path`, from the repository's root: resolve('a/README.md', '../b/c') is 'b/c'.
local function resolve(path, target)
  local parts = {}
  for part in (path:gsub('[^/]*$', '') .. target):gmatch('[^/]+') do
    if part == '..' then
      table.remove(parts)
    elseif part ~= '.' then
      table.insert(parts, part)
    end
  end
  return table.concat(parts, '/')
end

local function read_file(path)
  local file = io.open(path, 'rb')
  if not file then return nil end
  local text = file:read('a')
  file:close()
  return text
end

local function device_of(results)
  if not read_file(results .. '/ladder.csv') then return '' end
  local device = pandoc.pipe('awk', {'-f', 'plots/csv.awk', '-v', 'ask=head', '-v', 'key=device', results .. '/ladder.csv'}, '')
  return ': ' .. device:gsub('%s+$', '')
end

local function html(text) return pandoc.RawBlock('html', text) end

local function figure(image, caption)
  return pandoc.List {
    html '<figure><div class="scroll" tabindex="0">', pandoc.Plain {image}, html '</div><figcaption>',
    pandoc.Plain {pandoc.Str(caption)}, html '</figcaption></figure>',
  }
end

-- results/charts/NAME.svg, if this picture is of a device and the reader has the same chart.
local function reader_chart(image, results)
  local device, name = image.src:match('^plots/charts/([^/]+)/([^/]+%.svg)$')
  local path = device and device ~= 'xray' and results .. '/charts/' .. name
  return path and read_file(path) and path
end

-- A paragraph of pictures becomes figures. Behind the last one of a chart in the chapter stands the reader's own; `left` counts
-- how often each is still to come.
local function figures(paragraph, results, left)
  local blocks, mine = pandoc.List {}, pandoc.List {}
  for _, inline in ipairs(paragraph.content) do
    if inline.t == 'Image' then
      blocks:extend(figure(inline, stringify(inline.caption)))
      local path = reader_chart(inline, results)
      if path then
        left[path] = left[path] - 1
        if left[path] == 0 then
          mine:extend(figure(pandoc.Image('The same chart, of your device', path), 'Your device' .. device_of(results)))
        end
      end
    elseif inline.t ~= 'SoftBreak' and inline.t ~= 'Space' then
      return nil
    end
  end
  blocks:extend(mine)
  return pandoc.List {html '<div class="charts">'} .. blocks .. {html '</div>'}
end

local function chapter(path, chapters, results)
  local id = chapter_id(path)
  local document = pandoc.read(read_file(path), 'gfm')
  local title_seen, left = false, {}
  document = document:walk {
    Header = function(header)
      header.identifier = title_seen and id .. '--' .. header.identifier or id
      title_seen = true
      return header
    end,
    RawInline = function(raw)
      return pandoc.RawInline(raw.format, (raw.text:gsub('^<a id="', '<a id="' .. id .. '--')))
    end,
    -- A link to another README leads to its chapter. Other files are not in the book: their names remain.
    Link = function(link)
      if link.target:match('^%a+:') then return nil end
      local target, anchor = link.target:match('^([^#]*)#?(.*)$')
      local file = target == '' and path or resolve(path, target)
      if not chapters[file] then return link.content end
      link.target = '#' .. chapter_id(file) .. (anchor ~= '' and '--' .. anchor or '')
      return link
    end,
    Image = function(image)
      image.src = resolve(path, image.src)
      local mine = reader_chart(image, results)
      if mine then left[mine] = (left[mine] or 0) + 1 end
      return image
    end,
  }
  return document:walk {
    Para = function(paragraph) return figures(paragraph, results, left) end,
    -- A wide table scrolls in a box of its own.
    Table = function(tab) return {html '<div class="scroll" tabindex="0">', tab, html '</div>'} end,
  }.blocks
end

local function ledger(path)
  return pandoc.List {
    pandoc.Header(1, 'The published claims on your device', pandoc.Attr(chapter_id(path))),
    html(pandoc.pipe('awk', {'-v', 'part=claims', '-f', 'tools/page.awk', path}, '')),
  }
end

function Pandoc(document)
  local results = stringify(document.meta.results)
  local list, chapters = pandoc.List {}, {}
  for path in stringify(document.meta.chapters):gmatch('%S+') do
    list:insert(path)
    chapters[path] = true
  end
  for _, path in ipairs(list) do
    document.blocks:extend(path:match('%.csv$') and ledger(path) or chapter(path, chapters, results))
  end
  return document
end
