#include "opgen/emit/host_operators.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "opgen/model/backend_index.h"
#include "opgen/model/native_functions.h"
#include "opgen/text/file_manager.h"
#include "tests/opgen/api/functions.h"

namespace opgen::emit {
namespace {

using api::function_of;

std::string wrapper(std::string_view schema) {
  return host_wrapper(*function_of(std::string(schema)), "k", 7);
}

TEST(HostOperators, reads_arguments_and_returns_a_result) {
  EXPECT_EQ(
      wrapper("add.T(Tensor self, Tensor? other, Scalar alpha=1) -> Tensor"),
      R"(// aten::add.T(Tensor self, Tensor? other, Scalar alpha=1) -> Tensor
at::Tensor k(c10::OperatorKernel*, c10::DispatchKeySet, const at::Tensor & self, const ::std::optional<at::Tensor> & other, const at::Scalar & alpha) {
  HostCall call_(7);
  auto&& self_ = call_.in(self, 0);
  auto&& other_ = call_.in(other, 1);
  return call_.result(at::cpu::add(self_, other_, alpha));
}
)");
}

TEST(HostOperators, returns_what_it_wrote_to) {
  EXPECT_EQ(wrapper("abs_(Tensor(a!) self) -> Tensor(a!)"),
            R"(// aten::abs_(Tensor(a!) self) -> Tensor(a!)
at::Tensor & k(c10::OperatorKernel*, c10::DispatchKeySet, at::Tensor & self) {
  HostCall call_(7);
  auto&& self_ = call_.io(self, 0);
  at::cpu::abs_(self_);
  call_.finish();
  return self;
}
)");
}

// Of the kernels that work in place only structured ones never resize.
TEST(HostOperators, does_not_look_again_at_what_a_structured_kernel_changes) {
  const auto f = function_of("neg_(Tensor(a!) self) -> Tensor(a!)");
  f->structured_delegate = f->func.name;
  const std::string text = host_wrapper(*f, "k", 7);
  EXPECT_NE(text.find("auto&& self_ = call_.in_place(self, 0);"),
            std::string::npos)
      << text;
}

TEST(HostOperators, passes_outputs_last_and_returns_all) {
  const std::string text = wrapper(
      "f.out(Tensor x, int n, *, Tensor(a!) y, Tensor(b!) z) -> (Tensor(a!), "
      "Tensor(b!))");
  EXPECT_NE(text.find("at::cpu::f_outf(x_, n, y_, z_);"), std::string::npos)
      << text;
  EXPECT_NE(text.find("auto&& z_ = call_.io(z, 3);"), std::string::npos);
  EXPECT_NE(text.find("return {y, z};"), std::string::npos);
}

TEST(HostOperators, returns_nothing_where_nothing_is_returned) {
  const std::string text = wrapper("f_(Tensor(a!)[] self, Scalar s) -> ()");
  EXPECT_NE(text.find("auto&& self_ = call_.io(self, 0);"), std::string::npos);
  EXPECT_NE(text.find("  call_.finish();\n}\n"), std::string::npos) << text;
}

TEST(HostOperators, converts_results_of_kernels_that_also_write) {
  const std::string text =
      wrapper("f(Tensor x, Tensor(a!) mean) -> (Tensor, Tensor)");
  EXPECT_NE(text.find("call_.io(mean, 1)"), std::string::npos);
  EXPECT_NE(text.find("return call_.result(at::cpu::f(x_, mean_));"),
            std::string::npos)
      << text;
}

TEST(HostOperators, takes_plain_integers_for_symbolic_ones_and_generators) {
  const std::string text = wrapper(
      "f(Tensor x, SymInt n, SymInt[] m, *, Generator? generator=None) -> "
      "Tensor");
  EXPECT_NE(text.find("int64_t n, at::IntArrayRef m"), std::string::npos)
      << text;
  EXPECT_NE(text.find("at::cpu::f(x_, n, m, call_.generator(generator))"),
            std::string::npos);
}

struct Entry {
  std::string_view schema;
  bool on_cpu;
};

model::NativeFunctions program_of(const std::vector<Entry>& entries) {
  model::NativeFunctions program;
  model::BackendIndex& cpu = program.backend_indices[model::DispatchKey::kCPU];
  for (const Entry& entry : entries) {
    auto f = function_of(std::string(entry.schema));
    f->namespace_ = "aten";
    f->id = static_cast<std::uint32_t>(program.functions.size());
    if (entry.on_cpu) {
      cpu.add(*f,
              {.kernel = "kernel", .structured = false, .cpp_namespace = "at"});
    }
    program.grouped_native_functions.emplace_back(f.get());
    program.functions.push_back(std::move(f));
  }
  return program;
}

TEST(HostOperators, wraps_what_tells_its_device_by_a_tensor) {
  const model::NativeFunctions program = program_of({
      {"neg(Tensor self) -> Tensor", true},
      {"pos(Tensor self) -> Tensor", true},
      {"view(Tensor(a) self) -> Tensor(a)", true},
      {"gpu(Tensor self) -> Tensor", false},
      {"make(int n) -> Tensor", true},
      {"store(Tensor x, Storage s) -> Tensor", true},
      {"to(Tensor x, Device d) -> Tensor", true},
  });
  std::vector<std::string> names;
  for (const model::NativeFunction* f : host_operators(program)) {
    names.push_back(f->func.name.str());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"neg", "pos"}));
}

TEST(HostOperators, leaves_out_operators_of_others) {
  model::NativeFunctions program =
      program_of({{"f(Tensor x) -> Tensor", true}});
  EXPECT_EQ(host_operators(program).size(), 1U);
  program.functions[0]->namespace_ = "my";
  EXPECT_TRUE(host_operators(program).empty());
}

TEST(HostOperators, leaves_out_what_draws_from_the_default_generator) {
  model::NativeFunctions program =
      program_of({{"f(Tensor x) -> Tensor", true}});
  program.functions[0]->tags = {"nondeterministic_seeded"};
  EXPECT_TRUE(host_operators(program).empty());
  program = program_of({{"f(Tensor x, Generator? g) -> Tensor", true}});
  program.functions[0]->tags = {"nondeterministic_seeded"};
  EXPECT_EQ(host_operators(program).size(), 1U);
}

TEST(HostOperators, splits_the_wrappers_over_the_files) {
  const model::NativeFunctions program = program_of({
      {"neg(Tensor self) -> Tensor", true},
      {"pos(Tensor self) -> Tensor", true},
  });
  HostOperatorsOptions options;
  options.install_dir = "out";
  options.header = "a.h";
  options.cpp_namespace = "mine";
  const std::vector<text::OutputFile> files =
      host_operator_files(options, program);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].path, "out/operators_0.cpp");
  EXPECT_NE(files[0].contents.find("{\"aten::neg\", \"\", "
                                   "host_kernel_of(&k0), 0},"),
            std::string::npos)
      << files[0].contents;
  EXPECT_NE(files[1].contents.find("host_kernel_of(&k1), 1},"),
            std::string::npos);
  EXPECT_EQ(files[2].path, "out/operators.cpp");
  EXPECT_NE(files[2].contents.find("return {host_operators_0(), "
                                   "host_operators_1()};"),
            std::string::npos)
      << files[2].contents;
  EXPECT_NE(files[2].contents.find("return 2;"), std::string::npos);
}

}  // namespace
}  // namespace opgen::emit
