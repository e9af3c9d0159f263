import { createReadStream, mkdirSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { AppContext } from '#core/context.ts'
import type { S3Storage } from '#core/media/storage.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { flush } from '#core/process/files.ts'

/** Every process can reach it: DATA_DIR/exports if the pictures are in DATA_DIR, otherwise their bucket. */
export interface ArchiveStore {
  /** Moves the file at `path`. */
  store(name: string, path: string): Promise<void>
  /** Bytes from `start` to `end`, both included. */
  open(name: string, start: number, end: number): Readable
  has(name: string): Promise<boolean>
  /** An archive of `bytes` bytes. Does nothing if there is none. */
  remove(name: string, bytes: number): Promise<void>
}

/** For archives being written. Other users of this machine cannot read it. */
export function ensureFolder(dataFolder: string) {
  const folder = join(dataFolder, 'exports')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

export const unfinishedPath = (folder: string, name: string) => join(folder, `${name}.part`)

/** A file name without `.part` or `.zip`. */
export const archiveName = (file: string) => file.replace(/\.(part|zip)$/, '')

export const createStore = ({ config, storage }: Pick<AppContext, 'config' | 'storage'>) =>
  storage.folder === null ? createBucketStore(storage) : createFolderStore(ensureFolder(config.DATA_DIR))

function createFolderStore(folder: string): ArchiveStore {
  const toPath = (name: string) => join(folder, `${name}.zip`)
  return {
    async store(name, path) {
      await rename(path, toPath(name))
      await flush(folder)
    },
    open: (name, start, end) => createReadStream(toPath(name), { start, end }),
    has: (name) =>
      stat(toPath(name)).then(
        () => true,
        () => false,
      ),
    remove: (name) => rm(toPath(name), { force: true }),
  }
}

/** In bytes. An archive is split into objects of this size in the bucket. */
const PART_BYTES = 8 * 2 ** 20

function createBucketStore(bucket: S3Storage): ArchiveStore {
  return {
    async store(name, path) {
      const file = await open(path, 'r')
      try {
        const buffer = Buffer.alloc(PART_BYTES)
        for (let part = 0; ; part++) {
          const { bytesRead } = await file.read(buffer, 0, PART_BYTES, part * PART_BYTES)
          if (bytesRead === 0) break
          await bucket.write(storedNames.ofArchivePart(name, part), buffer.subarray(0, bytesRead))
        }
      } finally {
        await file.close()
      }
      await rm(path)
    },
    open(name, start, end) {
      const controller = new AbortController()
      const { signal } = controller
      async function* readParts() {
        try {
          for (let from = start; from <= end; ) {
            const part = Math.floor(from / PART_BYTES)
            const first = part * PART_BYTES
            const to = Math.min(end, first + PART_BYTES - 1)
            const options = { range: `bytes=${from - first}-${to - first}`, signal }
            const found = await bucket.stream(storedNames.ofArchivePart(name, part), options)
            if (!found) throw new Error('A part of an archive is missing in the bucket')
            yield* takeBytes(found.body, to - from + 1)
            from = to + 1
          }
        } finally {
          controller.abort()
        }
      }
      return Readable.from(readParts(), { objectMode: false })
    },
    has: async (name) => (await bucket.stat(storedNames.ofArchivePart(name, 0))) !== null,
    async remove(name, bytes) {
      for (let part = 0; part * PART_BYTES < bytes; part++)
        await bucket.remove(storedNames.ofArchivePart(name, part))
    },
  }
}

/** Throws if the stream has fewer bytes. */
async function* takeBytes(stream: AsyncIterable<Buffer>, count: number) {
  let left = count
  for await (const chunk of stream) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
  throw new Error('A part of an archive is shorter than expected')
}
