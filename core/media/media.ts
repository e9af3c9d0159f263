import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Sentence } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { type CleanupOptions, DELETE_CONCURRENCY, startCleanup } from '#core/media/cleanup.ts'
import { createImageQueue } from '#core/media/decoding-queue.ts'
import { checkFile, type StoredFile } from '#core/media/files.ts'
import type { ConvertedImage, ImageSizes, Picture, Upload } from '#core/media/images.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import { createUploadQuota } from '#core/media/quota.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { eachConcurrently } from '#core/process/locks.ts'
import type { Redis } from '#core/process/redis.ts'

export const MEGABYTE = 2 ** 20
/** Bytes of an upload between two looks whether the disk has room. */
const LOOK_BYTES = 4 * MEGABYTE

export interface Uploader {
  member: number
  /** Aborts with an HttpError when the client disconnects. */
  signal: AbortSignal
}

/** Deleted when the request ends. Of a file above its limit, only the bytes up to it are stored. */
export interface UploadedFile extends Upload {
  bytes: number
  /** SHA-256 of the content, in hexadecimal. */
  hash: string
  /** A `file` is stored as it was uploaded. A `preview` is a picture of such a file, from the client. */
  type: 'picture' | 'file' | 'preview'
  /** Undefined outside of a request. */
  uploader?: Uploader | undefined
}

export interface MediaOptions extends Pick<CleanupOptions, 'dataFolder' | 'singleProcess'> {
  /** Counts the upload quota over all processes; null if there is only one. */
  redis?: Redis | null
  /** Throws 507 if the disk has no room for an upload. */
  requireRoom?: () => Promise<void>
  /** URLs of pictures and files begin with it; may be empty. */
  origin: string
}

export type MediaService = ReturnType<typeof createMedia>

export function createMedia(
  db: Db,
  storage: MediaStorage,
  { dataFolder, origin, singleProcess, redis = null, requireRoom }: MediaOptions,
  log: FastifyBaseLogger,
) {
  const scratch = join(dataFolder, 'scratch')
  mkdirSync(scratch, { recursive: true })
  const queue = createImageQueue()
  const { cleanUp, close } = startCleanup({ db, storage, dataFolder, singleProcess }, log)

  /** Null if the upload is not accepted; its error is added to `invalid`. */
  async function processUpload(upload: UploadedFile, sizes: ImageSizes, invalid: HttpError[]) {
    if (upload.type === 'file') return checkFile(upload).catch(collectInvalid)
    // sharp takes 0.1 s and 12 MB to load.
    const { checkImage: inspectImage, convertImage: processImage } = await import('#core/media/images.ts')
    const { member, signal } = upload.uploader ?? {}
    const run = <T>(isLarge: boolean, task: () => Promise<T>) =>
      queue.run(String(member), isLarge, task, signal)
    try {
      const info = await run(false, () => inspectImage(upload))
      return await run(info.isLarge, () => processImage(upload, info, sizes, signal))
    } catch (error) {
      return collectInvalid(error)
    }
    function collectInvalid(error: unknown) {
      if (!(error instanceof HttpError) || error.status !== 422) throw error
      invalid.push(error)
      return null
    }
  }

  /**
   * `failed`: an error was thrown, but the commit may have succeeded although its answer was lost.
   * `mayArrive`: the storage may store a file later, so a later cleanup deletes once more.
   */
  async function deleteUnattached(
    { name, widths = [] }: { name: string; widths?: readonly number[] },
    failed: boolean,
    mayArrive: boolean,
  ) {
    // Even without a row: `cleanUp` may have deleted the row of this slow upload before its last files were
    // written.
    if (
      !(await lifecycle.removePending(db, storage, name, mayArrive)) &&
      failed &&
      !(await lifecycle.hasRow(db, name))
    )
      await lifecycle.removeFiles(storage, name, widths.join(','))
  }

  return {
    cleanUp,
    close,
    /** Uploads that wait to be decoded. */
    queueLength: queue.waiting,
    /** See quota.ts. */
    reserve: createUploadQuota(redis),
    url: (name: string, width: number) => `${origin}/media/${storedNames.ofPicture(name, width)}`,
    filePath: (name: string) => `${origin}/files/${name}`,
    /** Writes up to `maxBytes` to DATA_DIR/scratch; more sets `isTooLarge`. 507 once the disk is full. */
    async receive(
      { field, filename, type = 'picture', maxBytes = Number.POSITIVE_INFINITY }: ReceivedFile,
      file: Readable,
      uploader?: Uploader,
    ): Promise<UploadedFile & { isTooLarge: boolean }> {
      // Browsers send an empty file input as a file without a name.
      if (filename) await requireRoom?.()
      const path = join(scratch, randomUUID())
      const out = createWriteStream(path)
      const counter = createHashingLimit(maxBytes, requireRoom)
      await pipeline(file, counter.stream, out).catch(async (error: unknown) => {
        await rm(path, { force: true })
        throw error
      })
      const isTooLarge = counter.isTooLarge()
      return {
        field,
        filename,
        type,
        path,
        bytes: out.bytesWritten,
        hash: counter.hash(),
        uploader,
        isTooLarge,
      }
    },
    async discard(uploads: readonly UploadedFile[]) {
      for (const { path } of uploads) await rm(path, { force: true })
    },
    /**
     * `work` attaches the pictures and files to rows; afterwards those that it has not attached are deleted.
     * Throws 422 with the names of files that are not accepted, 503 if the storage is unavailable, and 507 if
     * it is full.
     */
    async store<T>(
      uploads: readonly UploadedFile[],
      sizes: ImageSizes,
      work: (pictures: Picture[], files: StoredFile[], previews: Picture[]) => Promise<T>,
    ) {
      const pictures: Picture[] = []
      const previews: Picture[] = []
      const files: StoredFile[] = []
      const invalid: HttpError[] = []
      let [failed, mayArrive] = [true, false]
      try {
        for (const upload of uploads) {
          const made = await processUpload(upload, sizes, invalid)
          if (!made || invalid.length) continue
          await lifecycle.insertPending(db, 'picture' in made ? made.picture : made)
          if ('picture' in made) (upload.type === 'preview' ? previews : pictures).push(made.picture)
          else files.push(made)
          mayArrive = true
          if ('picture' in made) await writeFiles(storage, made)
          else await storage.writeFile(storedNames.ofFile(made.name), upload.path)
          mayArrive = false
        }
        if (invalid.length) throw mergeErrors(invalid)
        const result = await work(pictures, files, previews)
        failed = false
        return result
      } finally {
        // The pending rows remain, and the next cleanUp deletes the files.
        await Promise.all(
          [...pictures, ...files, ...previews].map((made) => deleteUnattached(made, failed, mayArrive)),
        ).catch(() => {})
      }
    },
    /** Only those in `unreferenced_media` to which no row refers. */
    async deleteUnreferenced(names: readonly string[]) {
      const work = (name: string) => lifecycle.removeUnreferenced(db, storage, name)
      // The rows in unreferenced_media remain for the next cleanup.
      await eachConcurrently(names, DELETE_CONCURRENCY, work).catch(() => {})
    },
  }
}

interface ReceivedFile {
  field: string
  filename: string
  type?: UploadedFile['type']
  maxBytes?: number
}

/**
 * Passes on and hashes the first `maxBytes`, and drops the rest, because the reader of the form continues
 * only at the end of the file. Fails with the error of `requireRoom`, called after every LOOK_BYTES because
 * other uploads fill the disk too.
 */
function createHashingLimit(maxBytes: number, requireRoom = async () => {}) {
  const hash = createHash('sha256')
  let [bytes, unseen] = [0, 0]
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      const kept = chunk.subarray(0, Math.max(0, maxBytes - bytes))
      bytes += chunk.length
      hash.update(kept)
      unseen += kept.length
      if (unseen < LOOK_BYTES) return done(null, kept)
      unseen = 0
      requireRoom().then(() => done(null, kept), done)
    },
  })
  return { stream, isTooLarge: () => bytes > maxBytes, hash: () => hash.digest('hex') }
}

/** Waits for all writes even after a failure: none may end after the picture's files were deleted. */
async function writeFiles(storage: MediaStorage, { picture, files }: ConvertedImage) {
  const results = await Promise.allSettled(
    files.map(({ width, bytes }) => storage.write(storedNames.ofPicture(picture.name, width), bytes)),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** One error with the messages of all. */
function mergeErrors(invalid: readonly HttpError[]) {
  const fields: Record<string, Sentence[]> = {}
  for (const error of invalid)
    for (const [field, list] of Object.entries(error.fields ?? {})) (fields[field] ??= []).push(...list)
  return new HttpError(422, invalid[0]!.messages, fields)
}
