// Which fault turns this red alone: bad input that ends in a crash, another exit status than 1,
// more than one clear line on stderr (but for a kernel that does not build), or a file.
#include <filesystem>

#include "tests/kernels.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

const std::string foo = "__kernel void Foo(__global float* output) { output[0] = 1.0f; }\n";

/// Programs that are told to write out.csv and perhaps out.png; some files for them.
class BadInput : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    expect(0, program("step2_unroll", "--size 37x23 --verify-only --output good.png"));
    write_whole("two.txt", "1 2\n3 4\n");
    write_whole("wrong.cl", edited(source("step1_naive/convolution.cl"), R"(\+=)", "-="));
    write_whole("foo.cl", foo + edited(foo, "Foo", "Goo"));
  }

  static void refuses(
      const std::string& name, const std::string& arguments, const std::string& regex,
      const Environment& environment = {}) {
    expect_refused(program(name, arguments + " --csv out.csv", environment), regex);
    EXPECT_FALSE(fs::exists("out.csv") || fs::exists("out.png")) << arguments;
  }
  static void refuses(const std::string& arguments, const std::string& regex) {
    refuses("step2_unroll", "--size 8x8 " + arguments, regex);
  }
};

// image_test and options_test know all that can be wrong in an image, a filter and a flag.
TEST_F(BadInput, FilesAreNotRead) {
  write_whole("half.png", read_file("good.png").substr(0, 60));
  for (const std::string file : {"missing.png", "half.png"}) {
    refuses("step2_unroll", "--output out.png --input " + file, "cannot read " + file + ": .");
  }
  refuses("--filter good.png --output out.png", "good.png: .");
  refuses("--filter two.txt --filter-width 3", "two.txt.* 2 ");
  expect(0, program("mkfifo", "fifo.txt"));
  for (const std::string file : {"fifo.txt", "/dev/zero"}) {
    refuses("--filter " + file, "cannot read " + file + ": this is a folder, a device or a pipe");
  }
  refuses("step2_unroll", "--input a\x1b[31m.png", "control character");
}

TEST_F(BadInput, FilesAreNotWritten) {
  fs::create_directory("folder.png");
  refuses("--output out.gif", "out.gif: the name must end in .png");
  refuses("--output folder.png", "folder.png: this is not a regular file");
  refuses("--output missing/out.png", "missing/out.png: No such file");
  expect_refused(program("step2_unroll", "--size 8x8 --csv missing/out.csv"), "out.csv");
  const std::string search = "--size 8x8 --filter-width 1 --kernel Tuned --winners ";
  refuses("step9_autotune", search + "missing/winners.csv", "cannot write missing/winners.csv: No");
  // Nor one that is read too, or that is not what its flag says.
  refuses("step9_autotune", search + "good.png", "good.png is another file");
  fs::create_symlink("good.png", "link.png");
  for (const char* arguments :
       {"--csv two.txt --filter ./two.txt", "--csv wrong.cl --kernel-file wrong.cl",
        "--csv wrong.cl --against wrong.cl", "--output good.png --input link.png",
        "--csv out.png --output ./out.png"}) {
    expect_refused(program("step1_naive", arguments), "is read too, or written by another flag");
  }
}

// Output that nobody gets is no success, and no crash. Only a shell can make such output.
TEST_F(BadInput, OutputIsLost) {
  const auto with_output = [](const std::string& redirection, const std::string& command) {
    std::vector<std::string> words = split(command, ' ');
    words[0] = in_build(words[0]);
    words.insert(words.begin(), {"sh", "-c", "exec \"$@\" " + redirection, "-"});
    return execute({words});
  };
  const std::string lost = "the output cannot be written", small = " --size 8x8 --time-budget 0";
  expect_refused(with_output(">&-", "step2_unroll --help"), lost);
  if (fs::exists("/dev/full")) {
    expect_refused(program("step2_unroll", "--csv /dev/full" + small), "/dev/full");
    expect_refused(with_output("> /dev/full", "step2_unroll --help"), lost);
    expect_refused(with_output("> /dev/full", "step2_unroll" + small), lost);
    expect(1, with_output("2> /dev/full", "step2_unroll --size 0x0"));
    expect(2, with_output("2> /dev/full", "step1_naive --kernel-file wrong.cl" + small));
  }
}

// Device, kernel, driver: programs of both parts, and those that are no steps.
class BadInputOf : public BadInput, public testing::WithParamInterface<std::string> {};

TEST_P(BadInputOf, KernelsAndDevicesAreRefused) {
  const std::string& name = GetParam();
  const auto refuses_flag = [&](const std::string& arguments, const std::string& regex) {
    refuses(name, "--size 8x8 " + arguments, regex);
  };
  refuses_flag("--device \"no such thing\"", "no such thing");
  refuses_flag("--kernel No_Such_Kernel", "No_Such_Kernel");
  refuses_flag("--kernel-file missing.cl", "missing.cl");
  // Which package to install?
  refuses(name, "--size 8x8", "pocl-opencl-icd", {{"OCL_ICD_VENDORS", "/nonexistent-folder/"}});
  if (name != "roofline") {
    refuses_flag("--against missing.cl", "missing.cl: No such file");
    refuses_flag("--against foo.cl", "foo.cl has no kernel of " + name + "; it defines: Foo, Goo");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Program, BadInputOf,
    testing::Values(
        ladder_steps().front(), ladder_steps().back(), "median", "edge_conditions", "roofline"),
    [](const auto& info) { return info.param; });

TEST_F(BadInput, DevicesAreRefused) {
  expect_refused(program("devices", "0:0"), "takes no arguments");
  refuses("step2_unroll", "--size 8x8", "no such thing", {{"TUTORIAL_DEVICE", "no such thing"}});
  const Environment small = {
      {"TUTORIAL_DEVICE", "Portable Computing Language"}, {"POCL_MEMORY_LIMIT", "1"}};
  if (says(program("devices", "", small).output, "largest buffer *256 MiB")) {
    // PoCL can be told to have 1 GB, of which up to version 6 a buffer may take a quarter; this
    // image needs a little more.
    refuses(
        "step1_naive", "--size 8192x8200 --filter-width 1 --time-budget 0", "smaller image", small);
  }
}

// File, device, options, and the compiler's own words. Nor does a file without the kernel that is
// wanted, or with other parameters than the host sets.
TEST_F(BadInput, KernelsDoNotBuild) {
  write_whole("broken.cl", edited(edited(foo, "Foo", "Convolve"), "1.0f", "no_such_name"));
  const Ran ran = expect(
      1, program(
             "step4_invariants",
             "--filter-width 5 --kernel-file broken.cl --csv out.csv "
             "--size 8x8 --kernel Convolve"));
  EXPECT_FALSE(fs::exists("out.csv"));
  for (const char* word : {"broken.cl", "device   .", "FILTER_WIDTH=5", "no_such_name"}) {
    expect_errors(ran, word);
  }
  refuses("--kernel-file foo.cl", "Convolve");
  write_whole("fewer.cl", edited(foo, "Foo", "Convolve"));
  refuses("step1_naive", "--size 8x8 --kernel-file fewer.cl", "arameter|CL_INVALID_ARG");
}

}  // namespace
}  // namespace tutorial
