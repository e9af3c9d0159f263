import { mkdirSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { BadSetting, type Config } from '#core/config.ts'

/**
 * Where the files of pictures are: a folder, or a bucket. Names are flat, such as `0a1b…-960.webp`; what a name stands for
 * never changes.
 */
export interface MediaStorage {
  /** Of a store that is a folder of this machine, so that files can be served from it as they are. */
  readonly folder: string | null
  /** Resolves once the file is there whole and for good. Where it throws there is none, but in a bucket it may still arrive. */
  write(name: string, bytes: Buffer): Promise<void>
  /** Harmless where there is no such file. */
  remove(name: string): Promise<void>
  /** null where there is no such file. */
  read(name: string): Promise<Buffer | null>
  /** All files, in no order. */
  list(): AsyncIterable<{ name: string; bytes: number }>
  /** Throws where it cannot be reached. */
  check(): Promise<void>
}

export interface Folder extends MediaStorage {
  readonly folder: string
}

/** What is known of a file without its bytes. */
export interface About {
  etag: string
  modified: Date
  bytes: number
}
/** A store elsewhere, from which files are passed on. */
export interface Bucket extends MediaStorage {
  readonly folder: null
  /** null where there is no such file. */
  about(name: string): Promise<About | null>
  /**
   * A file, or the `range` of it (`bytes=10-29`; then the answer names it in `range`) with so many `bytes`; null where there is none.
   * Throws an error with `statusCode` 416 where the file has no such part.
   */
  stream(
    name: string,
    asked: { range?: string | undefined; signal: AbortSignal },
  ): Promise<(About & { range: string | null; body: Readable }) | null>
  close(): void
}

/** The store that the settings name. Throws BadSetting where it cannot be reached. */
export async function openStorage({
  DATA_DIR,
  MEDIA_URL,
  AWS_REGION,
}: Pick<Config, 'DATA_DIR' | 'MEDIA_URL' | 'AWS_REGION'>) {
  if (!MEDIA_URL) return folderStore(join(DATA_DIR, 'media'), join(DATA_DIR, 'scratch'))
  // Twenty packages and as many megabytes, which a process with a folder never loads.
  const { s3Storage } = await import('#core/media/s3.ts')
  const store = s3Storage(MEDIA_URL, { region: AWS_REGION })
  await store.check().catch((error: Error) => {
    throw new BadSetting(
      `MEDIA_URL takes a bucket that lets itself be listed with the AWS variables that are set (${error.message}).`,
    )
  })
  return store
}

/** Nothing is asked of it any more. */
export function closeStorage(store: Awaited<ReturnType<typeof openStorage>>) {
  if (store.folder === null) store.close()
}

/** Files in `folder`; what is being written is in `scratch` until it is whole, on the same disk. */
function folderStore(folder: string, scratch: string): Folder {
  for (const path of [folder, scratch]) mkdirSync(path, { recursive: true })
  return {
    folder,
    async write(name, bytes) {
      const part = join(scratch, `${name}.part`)
      try {
        await onDisk(part, 'w', (handle) => handle.writeFile(bytes))
        await rename(part, join(folder, name))
        // A name is in its folder for good once the folder itself is on disk.
        await onDisk(folder, 'r')
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    read: (name) =>
      readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      }),
    async *list() {
      for (const name of await readdir(folder)) {
        const found = await stat(join(folder, name)).catch(() => null) // removed meanwhile
        if (found) yield { name, bytes: found.size }
      }
    },
    check: async () => void (await stat(folder)),
  }
}

type Handle = Awaited<ReturnType<typeof open>>
async function onDisk(path: string, flags: string, work: (handle: Handle) => Promise<void> = async () => {}) {
  const handle = await open(path, flags)
  try {
    await work(handle)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
