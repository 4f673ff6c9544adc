// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One piece of recorded work: its contract, and a node of the driver's graph.

#include "runtime/graph/GraphState.h"

namespace girih::detail {

void GraphArgument::lieAt(const ArgumentView &view) {
  address = view.address;
  element = view.element;
  extents = Axes(view.extents);
  strides = Axes(view.strides);
}

static uint64_t bytesOf(const GraphArgument &argument) {
  uint64_t bits = bitsOf(argument.element);
  for (int64_t extent : argument.extents.span()) {
    bits *= static_cast<uint64_t>(extent);
  }
  return (bits + 7) / 8;
}

/// Calls `use` with what the kernel was asked for.
template <typename Use>
static auto withRequest(const GraphNode &node, const GraphLaunch &launch,
                        Use use) {
  std::vector<LaunchArgument> tensors;
  for (const GraphArgument &argument : node.arguments) {
    tensors.push_back({argument.view(), argument.known,
                       argument.contents.data(), argument.count});
  }
  return use(LaunchRequest{tensors, {}, launch.scalars, launch.symbols});
}

/// Captures an opt-out with the arguments as they are.
static void capture(GraphOptOut &optOut,
                    std::span<const GraphArgument> arguments,
                    const Device &device) {
  std::vector<ArgumentView> views;
  for (const GraphArgument &argument : arguments) {
    views.push_back(argument.view());
  }
  optOut.captured = captureOptOut(*optOut.work, views, device);
}

void GraphNode::prepare(const Device &device) {
  if (auto *optOut = std::get_if<GraphOptOut>(&work)) {
    if (!optOut->communicator) {
      capture(*optOut, arguments, device);
    }
    return;
  }
  auto *launch = std::get_if<GraphLaunch>(&work);
  if (!launch) {
    return;
  }
  withRequest(*this, *launch, [&](const LaunchRequest &request) {
    try {
      launch->prepared = launch->kernel->prepare(request, device);
    } catch (...) {
      std::rethrow_exception(
          launchError(*launch->kernel, request, std::current_exception()));
    }
  });
}

std::string GraphNode::text() const {
  if (const auto *launch = std::get_if<GraphLaunch>(&work)) {
    return withRequest(*this, *launch, [&](const LaunchRequest &request) {
      return launch->kernel->describe(request);
    });
  }
  if (const auto *optOut = std::get_if<GraphOptOut>(&work)) {
    return optOut->work->text;
  }
  return (std::holds_alternative<GraphCopy>(work) ? "copy(" : "setZero(") +
         std::to_string(bytesOf(arguments.back())) + " bytes)";
}

uint64_t GraphNode::bytes() const {
  uint64_t sum = 0;
  for (const GraphArgument &argument : arguments) {
    sum += bytesOf(argument);
  }
  return sum;
}

bool GraphNode::isEmpty() const {
  if (const auto *optOut = std::get_if<GraphOptOut>(&work)) {
    size_t count = 0;
    check(functions().graphGetNodes(optOut->captured.get(), nullptr, &count),
          "cuGraphGetNodes");
    return count == 0;
  }
  const auto *launch = std::get_if<GraphLaunch>(&work);
  return launch ? launch->prepared.blocks() == 0
                : bytesOf(arguments.back()) == 0;
}

std::span<const size_t> GraphNode::early() const {
  const auto *launch = std::get_if<GraphLaunch>(&work);
  return launch ? launch->prepared.plan->code->early
                : std::span<const size_t>();
}

bool GraphNode::waits() const {
  const auto *launch = std::get_if<GraphLaunch>(&work);
  return launch && launch->prepared.plan->code->waits;
}

//===-- The driver's nodes ------------------------------------------------===//

namespace {

/// Parameters of a kernel; the addresses are of the launch.
struct KernelParams {
  std::vector<void *> addresses;
  runtime::KernelNodeParams params;

  explicit KernelParams(PreparedLaunch &launch) {
    for (size_t offset : launch.parameters.offsets) {
      addresses.push_back(launch.parameters.bytes.data() + offset);
    }
    const runtime::LoadedCode &code = *launch.plan->code;
    params.function = code.function;
    params.gridX = launch.blocks();
    params.blockX = code.threads;
    params.sharedBytes = code.sharedBytes;
    params.parameters = addresses.data();
  }
};

runtime::CopyParams copyParams(const GraphArgument &from,
                               const GraphArgument &to) {
  runtime::CopyParams out;
  for (auto [side, argument] :
       {std::pair{&out.from, &from}, std::pair{&out.to, &to}}) {
    side->memoryType = runtime::cu::memoryDevice;
    side->device = argument->address;
  }
  out.widthInBytes = bytesOf(to);
  return out;
}

runtime::FillParams zeroParams(const GraphArgument &to) {
  runtime::FillParams out;
  out.to = to.address;
  out.width = bytesOf(to);
  return out;
}

} // namespace

void GraphNode::addTo(void *graph, std::span<void *const> behind,
                      const Device &device) {
  const runtime::HostFunctions &f = functions();
  if (isEmpty()) {
    check(f.graphAddEmptyNode(&handle, graph, behind.data(), behind.size()),
          "cuGraphAddEmptyNode");
  } else if (auto *launch = std::get_if<GraphLaunch>(&work)) {
    KernelParams kernel(launch->prepared);
    check(f.graphAddKernelNode(&handle, graph, behind.data(), behind.size(),
                               &kernel.params),
          "cuGraphAddKernelNode");
  } else if (auto *optOut = std::get_if<GraphOptOut>(&work)) {
    check(f.graphAddChildNode(&handle, graph, behind.data(), behind.size(),
                              optOut->captured.get()),
          "cuGraphAddChildGraphNode");
  } else if (std::holds_alternative<GraphCopy>(work)) {
    runtime::CopyParams params = copyParams(arguments[0], arguments[1]);
    check(f.graphAddCopyNode(&handle, graph, behind.data(), behind.size(),
                             &params, device.context()),
          "cuGraphAddMemcpyNode");
  } else {
    runtime::FillParams params = zeroParams(arguments[0]);
    check(f.graphAddFillNode(&handle, graph, behind.data(), behind.size(),
                             &params, device.context()),
          "cuGraphAddMemsetNode");
  }
}

void GraphNode::update(void *executable, const Device &device) {
  const runtime::HostFunctions &f = functions();
  if (isEmpty()) {
    return;
  }
  if (auto *launch = std::get_if<GraphLaunch>(&work)) {
    KernelParams kernel(launch->prepared);
    check(f.graphExecKernelNodeSetParams(executable, handle, &kernel.params),
          "cuGraphExecKernelNodeSetParams");
  } else if (auto *optOut = std::get_if<GraphOptOut>(&work)) {
    check(f.graphExecChildNodeSetParams(executable, handle,
                                        optOut->captured.get()),
          "cuGraphExecChildGraphNodeSetParams");
  } else if (std::holds_alternative<GraphCopy>(work)) {
    runtime::CopyParams params = copyParams(arguments[0], arguments[1]);
    check(f.graphExecCopyNodeSetParams(executable, handle, &params,
                                       device.context()),
          "cuGraphExecMemcpyNodeSetParams");
  } else {
    runtime::FillParams params = zeroParams(arguments[0]);
    check(f.graphExecFillNodeSetParams(executable, handle, &params,
                                       device.context()),
          "cuGraphExecMemsetNodeSetParams");
  }
  stale = false;
}

} // namespace girih::detail
