// Runtime<type> is the interface of one backend: its types, constants and
// static functions.
//
// A specialisation derives from the base that says how much it offers and is
// followed by static_assert(Runtime<type>::Validate()).
#pragma once

#include <cstddef>
#include <type_traits>

#include <infini/rt/detail/device.h>

namespace infini::rt::runtime {

template <Device::Type device_type>
struct Runtime;

// Every backend: kDeviceType, Error and kSuccess.
template <typename Derived>
struct RuntimeBase {
  static constexpr bool Validate() {
    static_assert(
        std::is_same_v<decltype(Derived::kDeviceType), const Device::Type>,
        "a Runtime needs `static constexpr Device::Type kDeviceType`");
    static_assert(std::is_same_v<decltype(Derived::kSuccess),
                                 const typename Derived::Error>,
                  "a Runtime needs `static constexpr Error kSuccess`");
    return true;
  }
};

// Backends with device memory: allocation and the life of streams.
template <typename Derived>
struct DeviceRuntime : RuntimeBase<Derived> {
  static constexpr bool Validate() {
    using Stream = typename Derived::Stream;
    static_assert(
        std::is_invocable_v<decltype(Derived::Malloc), void**, std::size_t>,
        "a Runtime needs `Malloc(void**, std::size_t)`");
    static_assert(std::is_invocable_v<decltype(Derived::Free), void*>,
                  "a Runtime needs `Free(void*)`");
    static_assert(std::is_invocable_v<decltype(Derived::StreamCreate), Stream*>,
                  "a Runtime needs `StreamCreate(Stream*)`");
    static_assert(std::is_invocable_v<decltype(Derived::StreamDestroy), Stream>,
                  "a Runtime needs `StreamDestroy(Stream)`");
    static_assert(
        std::is_invocable_v<decltype(Derived::StreamSynchronize), Stream>,
        "a Runtime needs `StreamSynchronize(Stream)`");
    return RuntimeBase<Derived>::Validate();
  }
};

// Backends that capture work in graphs.
template <typename Derived, typename Base = DeviceRuntime<Derived>>
struct GraphRuntime : Base {
  static constexpr bool Validate() {
    using Stream = typename Derived::Stream;
    using Graph = typename Derived::Graph;
    using GraphExec = typename Derived::GraphExec;
    using Mode = typename Derived::StreamCaptureMode;
    static_assert(
        std::
            is_invocable_v<decltype(Derived::StreamBeginCapture), Stream, Mode>,
        "a Runtime needs `StreamBeginCapture(Stream, StreamCaptureMode)`");
    static_assert(std::is_invocable_v<decltype(Derived::StreamEndCapture),
                                      Stream,
                                      Graph*>,
                  "a Runtime needs `StreamEndCapture(Stream, Graph*)`");
    static_assert(std::is_invocable_v<decltype(Derived::GraphDestroy), Graph>,
                  "a Runtime needs `GraphDestroy(Graph)`");
    static_assert(std::is_invocable_v<decltype(Derived::GraphInstantiate),
                                      GraphExec*,
                                      Graph>,
                  "a Runtime needs `GraphInstantiate(GraphExec*, Graph)`");
    static_assert(
        std::is_invocable_v<decltype(Derived::GraphExecDestroy), GraphExec>,
        "a Runtime needs `GraphExecDestroy(GraphExec)`");
    static_assert(
        std::is_invocable_v<decltype(Derived::GraphLaunch), GraphExec, Stream>,
        "a Runtime needs `GraphLaunch(GraphExec, Stream)`");
    return Base::Validate();
  }
};

}  // namespace infini::rt::runtime
