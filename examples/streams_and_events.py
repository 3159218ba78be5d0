"""Streams and events: two queues of work, one waiting for the other, timed.

A stream runs its work in order. Work on another stream is ordered with it only through
an event: `consumer` waits for the event behind the products, not for the whole device.
"""

import torch
import torch_infini  # noqa: F401  makes the device "infini"


def main() -> None:
    """Multiplies on one stream, sums on another and checks the result."""
    a = torch.randn(256, 256, device="infini")
    b = torch.randn(256, 256, device="infini")
    producer = torch.infini.Stream()
    consumer = torch.infini.Stream()
    start = torch.infini.Event(enable_timing=True)
    end = torch.infini.Event(enable_timing=True)

    # The operands were made on the current stream.
    producer.wait_stream(torch.infini.current_stream())
    with torch.infini.stream(producer):
        start.record()
        product = a @ b
        for _ in range(9):
            product = product + a @ b
        end.record()

    consumer.wait_event(end)
    with torch.infini.stream(consumer):
        # Used here, made there: its memory must outlive the work on both streams.
        product.record_stream(consumer)
        total = product.sum()

    consumer.synchronize()
    expected = (10 * (a.cpu().double() @ b.cpu().double())).sum()
    torch.testing.assert_close(total.cpu().double(), expected, rtol=1e-3, atol=1e-1)
    print(f"the products took {start.elapsed_time(end):.3f} ms on {producer}")
    print(f"their sum on {consumer}: {total.item():.3f}")


if __name__ == "__main__":
    main()
