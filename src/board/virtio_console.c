/* SPDX-License-Identifier: MIT */
/* The console (5.3), port 0 alone: queue 0 receives, queue 1 transmits. */
#include "board/virtio_internal.h"

#define AT_ONCE 256

static bool transmit(const struct apmu_board__virtio *bus, struct apmu_board__virtio_chain *chain)
{
	uint8_t bytes[AT_ONCE];

	while (chain->left[0]) {
		uint64_t n = chain->left[0] < AT_ONCE ? chain->left[0] : AT_ONCE;

		if (!apmu_board__virtio_take(chain, bytes, n))
			return true;
		for (uint64_t i = 0; i < n && bus->transmit; i++)
			bus->transmit(bus->ctx, bytes[i]);
	}
	return true;
}

bool apmu_board__virtio_console(struct apmu_board__virtio *bus, struct apmu_board__virtio_device *device,
				unsigned q, struct apmu_board__virtio_chain *chain)
{
	const struct apmu_board__virtio_config *config = &device->config;
	uint64_t n = config->size - device->received;

	if (q == 1)
		return transmit(bus, chain);
	if (!n || !chain->left[1])
		return false;
	n = n < chain->left[1] ? n : chain->left[1];
	if (apmu_board__virtio_give(chain, config->bytes + device->received, n))
		device->received += n;
	return true;
}
