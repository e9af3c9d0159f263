import { createReadStream, mkdirSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { AppContext } from '#core/context.ts'
import { flushPathToDisk } from '#core/files.ts'
import type { S3MediaStorage } from '#core/media/storage.ts'
import { toArchivePartStorageName } from '#core/media/stored-names.ts'

/**
 * A store for complete archives of members' data, which every process can reach: the folder DATA_DIR/exports
 * if the pictures are in DATA_DIR, which all processes then share; otherwise the bucket of the pictures.
 */
export interface DataExportArchiveStore {
  /** Moves the file at `path` into the store, under the name of the archive. */
  store(name: string, path: string): Promise<void>
  /** Returns a stream of the bytes of an archive from `start` to `end`, both included. */
  open(name: string, start: number, end: number): Readable
  has(name: string): Promise<boolean>
  /** Deletes an archive with a size of `bytes` bytes. Does nothing if there is no such archive. */
  remove(name: string, bytes: number): Promise<void>
}

/**
 * Creates the folder in which this process writes archives, if the folder does not exist, and returns its
 * path. Other users of this machine cannot read the folder.
 */
export function ensureDataExportFolder(dataFolder: string) {
  const folder = join(dataFolder, 'exports')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Returns the path of the file into which an archive is being written. */
export const toUnfinishedDataExportArchivePath = (folder: string, name: string) =>
  join(folder, `${name}.part`)

/**
 * Returns the name of the archive to which a file in the export folder belongs: the file name without `.part`
 * or `.zip`.
 */
export const stripDataExportArchiveExtension = (file: string) => file.replace(/\.(part|zip)$/, '')

export const createDataExportArchiveStore = ({ config, storage }: Pick<AppContext, 'config' | 'storage'>) =>
  storage.folder === null
    ? createBucketStore(storage)
    : createFolderStore(ensureDataExportFolder(config.DATA_DIR))

function createFolderStore(folder: string): DataExportArchiveStore {
  const toPath = (name: string) => join(folder, `${name}.zip`)
  return {
    async store(name, path) {
      await rename(path, toPath(name))
      await flushPathToDisk(folder)
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

/** The size of the objects into which an archive is split in the bucket, in bytes. */
const PART_BYTES = 8 * 2 ** 20

function createBucketStore(bucket: S3MediaStorage): DataExportArchiveStore {
  return {
    async store(name, path) {
      const file = await open(path, 'r')
      try {
        const buffer = Buffer.alloc(PART_BYTES)
        for (let part = 0; ; part++) {
          const { bytesRead } = await file.read(buffer, 0, PART_BYTES, part * PART_BYTES)
          if (bytesRead === 0) break
          await bucket.write(toArchivePartStorageName(name, part), buffer.subarray(0, bytesRead))
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
            const found = await bucket.stream(toArchivePartStorageName(name, part), options)
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
    has: async (name) => (await bucket.stat(toArchivePartStorageName(name, 0))) !== null,
    async remove(name, bytes) {
      for (let part = 0; part * PART_BYTES < bytes; part++)
        await bucket.remove(toArchivePartStorageName(name, part))
    },
  }
}

/** Yields the first `count` bytes of a stream. Throws if the stream has fewer bytes. */
async function* takeBytes(stream: AsyncIterable<Buffer>, count: number) {
  let left = count
  for await (const chunk of stream) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
  throw new Error('A part of an archive is shorter than expected')
}
