/* SPDX-License-Identifier: MIT */
/* The block device (5.2.6): a header of 16 bytes, data, a status byte, in buffers that are split in any
 * way. */
#include "board/virtio_internal.h"

enum { READ = 0, WRITE = 1, FLUSH = 4, IDENTIFY = 8 };
enum { DONE, FAILED, UNSUPPORTED };

/* The bytes from a sector on; NULL: not all of them are on the drive. */
static uint8_t *reach(const struct apmu_board__virtio_device *device, uint64_t sector, uint64_t n)
{
	uint64_t size = device->config.size;

	if (sector > size / APMU_BOARD__SECTOR || n > size - sector * APMU_BOARD__SECTOR ||
	    n % APMU_BOARD__SECTOR)
		return NULL;
	return device->config.bytes + sector * APMU_BOARD__SECTOR;
}

static uint8_t transfer(const struct apmu_board__virtio_device *device,
			struct apmu_board__virtio_chain *chain, bool write, uint64_t sector)
{
	uint64_t n = write ? chain->left[0] : chain->left[1] - 1;
	uint8_t *bytes = reach(device, sector, n);

	if (!bytes || (write && !device->config.writable))
		return FAILED;
	return (write ? apmu_board__virtio_take(chain, bytes, n) : apmu_board__virtio_give(chain, bytes, n))
		       ? DONE
		       : FAILED;
}

static uint8_t identify(struct apmu_board__virtio_chain *chain)
{
	static const char name[20] = "apmu drive";

	if (chain->left[1] != sizeof name + 1)
		return FAILED;
	return apmu_board__virtio_give(chain, name, sizeof name) ? DONE : FAILED;
}

static uint8_t request(const struct apmu_board__virtio_device *device, struct apmu_board__virtio_chain *chain)
{
	uint8_t header[16];

	if (!apmu_board__virtio_take(chain, header, sizeof header))
		return FAILED;
	switch (apmu_board__little(header, 4)) {
	case READ: return transfer(device, chain, false, apmu_board__little(header + 8, 8));
	case WRITE: return transfer(device, chain, true, apmu_board__little(header + 8, 8));
	case FLUSH: return device->config.writable ? DONE : UNSUPPORTED;
	case IDENTIFY: return identify(chain);
	default: return UNSUPPORTED;
	}
}

/* Executes a request. The status is the last byte; bytes that an answer does not fill stay as they are. */
bool apmu_board__virtio_block(struct apmu_board__virtio_device *device,
			      struct apmu_board__virtio_chain *chain)
{
	uint8_t status;

	if (!chain->left[1]) /* no room for the status */
		return true;
	status = request(device, chain);
	if (chain->beyond)
		return true;
	apmu_board__virtio_skip(chain, chain->left[1] - 1);
	apmu_board__virtio_give(chain, &status, 1);
	return true;
}
