import { randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Localized } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { forEachLimit } from '#core/locks.ts'
import { createDecodingQueue } from '#core/media/decoding-queue.ts'
import type { ImageSizes, Picture, ProcessedImage, UploadedFile } from '#core/media/images.ts'
import {
  addPending,
  deleteFiles,
  deletePending,
  deleteUnreferenced,
  fileName,
  isAttached,
} from '#core/media/lifecycle.ts'
import { createUploadQuota } from '#core/media/quota.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { DELETE_CONCURRENCY, type SweepOptions, startSweeper } from '#core/media/sweep.ts'

export const MAX_UPLOAD_BYTES = 10 * 2 ** 20

/** The member who sends a request with files. */
export interface Uploader {
  member: number
  /** Aborts with an HttpError when the client disconnects. */
  signal: AbortSignal
}

/** A file of a request, deleted when the request ends. A larger file was cut off at MAX_UPLOAD_BYTES. */
export interface Upload extends UploadedFile {
  bytes: number
  /** Undefined outside of a request. */
  uploader?: Uploader | undefined
}

export interface MediaOptions extends Pick<SweepOptions, 'dataFolder' | 'singleProcess'> {
  /** Prefix of the addresses of pictures. */
  origin: string
}

export type Media = ReturnType<typeof openMedia>

export function openMedia(
  db: Db,
  storage: MediaStorage,
  { dataFolder, origin, singleProcess }: MediaOptions,
  log: FastifyBaseLogger,
) {
  const scratch = join(dataFolder, 'scratch')
  mkdirSync(scratch, { recursive: true })
  const queue = createDecodingQueue()
  const { sweep, close } = startSweeper({ db, storage, dataFolder, singleProcess }, log)

  /** Returns null and appends to `invalid` where the file is no image. */
  async function processUpload(upload: Upload, sizes: ImageSizes, invalid: HttpError[]) {
    // sharp takes 0.1 s and 12 MB to load. A process without uploads does not load it.
    const { inspectImage, processImage } = await import('#core/media/images.ts')
    const { member, signal } = upload.uploader ?? {}
    const run = <T>(isLarge: boolean, task: () => Promise<T>) =>
      queue.run(String(member), isLarge, task, signal)
    try {
      const info = await run(false, () => inspectImage(upload))
      return await run(info.isLarge, () => processImage(upload, info, sizes, signal))
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 422) throw error
      invalid.push(error)
      return null
    }
  }

  /** Deletes a picture, unless a row says that it is attached: the answer to a commit may be lost. */
  async function deleteUnattached({ name, widths }: Picture, failed: boolean, mayArrive: boolean) {
    // After a sweep has given up a slow upload, more of its files may have been written.
    if (!(await deletePending(db, storage, name, mayArrive)) && failed && !(await isAttached(db, name)))
      await deleteFiles(storage, name, widths)
  }

  return {
    sweep,
    close,
    /** Number of uploads that wait to be decoded. */
    queueLength: queue.waiting,
    /** Reserves the bytes of a member's request; see quota.ts. */
    reserve: createUploadQuota(),
    url: (name: string, width: number) => `${origin}/media/${fileName(name, width)}`,
    /** Streams a file of a request to DATA_DIR/scratch. */
    async receive(field: string, filename: string, file: Readable, uploader?: Uploader): Promise<Upload> {
      const path = join(scratch, randomUUID())
      const out = createWriteStream(path)
      await pipeline(file, out).catch(async (error: unknown) => {
        await rm(path, { force: true })
        throw error
      })
      return { field, filename, path, bytes: out.bytesWritten, uploader }
    },
    async discard(uploads: readonly Upload[]) {
      for (const { path } of uploads) await rm(path, { force: true })
    },
    /**
     * Makes pictures of the uploads, runs `work`, which attaches them, and deletes those that it did not
     * attach. Throws 422 with the names of files that are no images, 503 where the storage is away, 507 where
     * it is full.
     */
    async store<T>(uploads: readonly Upload[], sizes: ImageSizes, work: (pictures: Picture[]) => Promise<T>) {
      const pictures: Picture[] = []
      const invalid: HttpError[] = []
      let [failed, mayArrive] = [true, false]
      try {
        for (const upload of uploads) {
          const image = await processUpload(upload, sizes, invalid)
          if (!image || invalid.length) continue
          await addPending(db, image.picture)
          pictures.push(image.picture)
          mayArrive = true
          await writeFiles(storage, image)
          mayArrive = false
        }
        if (invalid.length) throw merge(invalid)
        const result = await work(pictures)
        failed = false
        return result
      } finally {
        // The pending rows remain where this fails, and the next sweep tries again.
        await Promise.all(pictures.map((picture) => deleteUnattached(picture, failed, mayArrive))).catch(
          () => {},
        )
      }
    },
    /** Deletes pictures that `detach` has marked, where no row refers to them. */
    async deleteUnreferenced(names: readonly string[]) {
      const work = (name: string) => deleteUnreferenced(db, storage, name)
      // The rows in unshown_media remain where this fails, and the next sweep tries again.
      await forEachLimit(names, DELETE_CONCURRENCY, work).catch(() => {})
    },
  }
}

/** Waits for all writes, also where one fails: none may end after the files of the picture were deleted. */
async function writeFiles(storage: MediaStorage, { picture, files }: ProcessedImage) {
  const results = await Promise.allSettled(
    files.map(({ width, bytes }) => storage.write(fileName(picture.name, width), bytes)),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** One error with the messages of all invalid files. */
function merge(invalid: readonly HttpError[]) {
  const fields: Record<string, Localized[]> = {}
  for (const error of invalid)
    for (const [field, list] of Object.entries(error.fields ?? {})) (fields[field] ??= []).push(...list)
  return new HttpError(422, invalid[0]!.words, fields)
}
