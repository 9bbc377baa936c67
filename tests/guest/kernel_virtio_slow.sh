# SPDX-License-Identifier: MIT
# Debian's arm64 kernel with its own virtio drivers: mounts an ext4 image from --drive, prints a file of it, writes one, prints on
# the virtio console and reads a line from it. About half a minute of CPU time per boot.
. "$SRC/tests/guest/lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" --kernel || fail "Debian's kernel cannot be fetched"
PATH=$PATH:/usr/sbin
modules=$(echo "$BUILD"/guests/kernel/arm64/lib/modules/*/kernel)

cat >"$work/init.c" <<'C'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

static void load(const char *name)
{
	int fd = open(name, O_RDONLY);

	if (syscall(SYS_finit_module, fd, "", 0) != 0)
		printf("%s: %s\n", name, strerror(errno));
	close(fd);
}

/* A file's first bytes. */
static void show(const char *name)
{
	char text[100] = "";
	int fd = open(name, O_RDONLY);
	long n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	printf("%s: %s\n", name, n < 0 ? strerror(errno) : text);
	close(fd);
}

/* All bytes of a file, as a sum. */
static void sum(const char *name)
{
	static unsigned char bytes[4096];
	unsigned long all = 0, n = 0;
	int fd = open(name, O_RDONLY);
	long got;

	while ((got = read(fd, bytes, sizeof bytes)) > 0)
		for (long i = 0; i < got; i++, n++)
			all = all * 31 + bytes[i];
	printf("%s: %lu bytes, sum %lx\n", name, n, all & 0xffffffff);
	close(fd);
}

static void write_file(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CREAT, 0644);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		printf("%s: not written: %s\n", name, strerror(errno));
	close(fd);
}

static void console(void)
{
	char text[100] = "";
	int fd = open("/dev/hvc0", O_RDWR | O_NOCTTY);

	if (fd < 0 || dprintf(fd, "printed on hvc0\n") < 0 || read(fd, text, sizeof text - 1) < 0)
		printf("hvc0: %s\n", strerror(errno));
	printf("read on hvc0: %s", text);
	close(fd);
}

int main(void)
{
	static const char *const names[] = {"virtio_mmio.ko", "virtio_blk.ko", "virtio_console.ko", "crc16.ko", "crc32c_generic.ko",
					    "mbcache.ko", "jbd2.ko", "ext4.ko"};

	setvbuf(stdout, NULL, _IONBF, 0);
	mount("dev", "/dev", "devtmpfs", 0, "");
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		load(names[i]);
	if (mount("/dev/vda", "/proc", "ext4", WRITABLE ? 0 : MS_RDONLY, "") != 0)
		printf("mount: %s\n", strerror(errno));
	show("/proc/hello");
	sum("/proc/large");
	if (WRITABLE)
		write_file("/proc/written", "by the guest\n");
	console();
	umount("/proc");
	sync();
	reboot(RB_POWER_OFF);
	return 0;
}
C
mkdir "$work/root"
echo 'typed at the start' >"$work/typed"
echo 'a file of the image' >"$work/root/hello"
seq 1 20000 >"$work/root/large"
# 109 kB, summed by the host as init does
sum=$(python3 -c 'import sys
all = 0
for b in open(sys.argv[1], "rb").read():
    all = (all * 31 + b) & 0xffffffff
print("%x" % all)' "$work/root/large")
mke2fs -q -t ext4 -d "$work/root" "$work/image" 8M || exit 1
cp "$work/image" "$work/before"

# boots WRITABLE OPTIONS...
boots()
{
	local writable=$1 line
	shift
	aarch64-linux-gnu-gcc -O1 -static -s -DWRITABLE="$writable" "$work/init.c" -o "$work/init" || exit 1
	python3 "$SRC/tests/guest/initrd.py" "$work/init" "$work/initrd" "$modules"/drivers/virtio/virtio_mmio.ko \
		"$modules"/drivers/block/virtio_blk.ko "$modules"/drivers/char/virtio_console.ko "$modules"/lib/crc16.ko \
		"$modules"/crypto/crc32c_generic.ko "$modules"/fs/mbcache.ko "$modules"/fs/jbd2/jbd2.ko "$modules"/fs/ext4/ext4.ko || exit 1
	"$APMU" run -c cortex-a53 --cpi 1 --timeout 3 --append 'console=ttyAMA0 nokaslr lpj=1000 panic=-1' --initrd "$work/initrd" "$@" \
		--console "$work/typed" --kernel "$BUILD"/guests/kernel/arm64/boot/vmlinuz-* >"$work/out" 2>"$work/err" ||
		fail "$*: $(head -3 "$work/err")"
	for line in 'virtio_blk virtio.*: \[vda\] 16384 512-byte logical blocks' '/proc/hello: a file of the image' \
		"/proc/large: 108894 bytes, sum $sum" 'printed on hvc0' 'read on hvc0: typed at the start' 'reboot: Power down'; do
		grep -q "$line" "$work/out" || fail "$*: no '$line': $(tail -5 "$work/out")"
	done
	[ ! -s "$work/err" ] || fail "$*: $(head -3 "$work/err")"
}

boots 0 -b virt --drive "$work/image"
cmp -s "$work/image" "$work/before" || fail "an image that is not writable has changed"
boots 1 -b virt-gicv3 --drive "$work/image,write,bus=0"
[ "$(debugfs -R 'cat written' "$work/image" 2>/dev/null)" = 'by the guest' ] || fail "what the guest has written is not in the image"
e2fsck -fn "$work/image" >"$work/out" 2>&1 || fail "the image after writing: $(tail -3 "$work/out")"
finish
