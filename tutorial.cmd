@echo off
rem The front door on Windows, without a shell: builds the program behind it and becomes it. The compiler and the
rem libraries are MSYS2's; SETUP.md has the line that installs them.
setlocal
if not defined MSYS2 set "MSYS2=C:\msys64"
set "PATH=%MSYS2%\ucrt64\bin;%PATH%"
where /q g++ || (
  echo tutorial: no compiler in %MSYS2%\ucrt64\bin; SETUP.md says how to install it; or: set MSYS2=ITS FOLDER>&2
  exit /b 1
)
pushd "%~dp0"
if not exist build\release\tutorial.exe echo Building the program behind this script>&2
if not exist build mkdir build
(cmake --preset default && cmake --build --preset default --target tutorial) > build\release.log 2>&1 || (
  type build\release.log >&2
  popd
  exit /b 1
)
popd
"%~dp0build\release\tutorial.exe" %*
