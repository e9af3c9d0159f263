import { inflateRawSync } from 'node:zlib'

/**
 * Returns the content of each file of a ZIP archive by its path. Reads the central directory of the archive;
 * archives in the ZIP64 format are not supported.
 */
export function readZip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('504b0506', 'hex'))
  const files = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset))
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const content = archive.subarray(start, start + size)
    const path = archive.toString('utf8', at + 46, at + 46 + name!)
    files.set(path, method === 0 ? content : inflateRawSync(content))
    at += 46 + name! + extra! + comment!
  }
  return files
}
