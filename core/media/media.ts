import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { BilingualSentence } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { forEachConcurrently } from '#core/locks.ts'
import {
  MEDIA_DELETE_CONCURRENCY,
  type MediaCleanupDependencies,
  startMediaCleanup,
} from '#core/media/cleanup.ts'
import { createImageDecodingQueue } from '#core/media/decoding-queue.ts'
import { checkNonPictureFileAndReadMetadata, type NonPictureFileMetadata } from '#core/media/files.ts'
import type {
  ImageOutputSizes,
  PictureMetadata,
  PictureMetadataAndWebpFiles,
  UploadedFileNameAndTempPath,
} from '#core/media/images.ts'
import {
  deleteFilesOfMediaItemFromStorage,
  deleteOnePendingMediaItem,
  deleteOneUnreferencedMediaItem,
  hasMediaRow,
  insertPendingMediaRow,
} from '#core/media/lifecycle.ts'
import { createConcurrentUploadLimiter } from '#core/media/quota.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { toNonPictureStorageName, toPictureStorageName } from '#core/media/stored-names.ts'
import type { Redis } from '#core/redis.ts'

/** The number of bytes of one MB in the limits of pictures and files. */
export const MEGABYTE = 2 ** 20
/** How many bytes of an upload are written until the server looks again whether the disk has room. */
const LOOK_BYTES = 4 * MEGABYTE

/**
 * The member who uploads files in a request, and a signal that aborts when the client of the request
 * disconnects.
 */
export interface UploaderAndAbortSignal {
  member: number
  /** Aborts with an HttpError when the client disconnects. */
  signal: AbortSignal
}

/**
 * A file that a request has uploaded. It is deleted when the request ends. If it was larger than its limit,
 * only the bytes up to the limit are stored.
 */
export interface UploadedRequestFile extends UploadedFileNameAndTempPath {
  bytes: number
  /** The SHA-256 of the content, in hexadecimal. */
  hash: string
  /** Whether the file becomes a picture, or is stored as it was uploaded. */
  type: 'picture' | 'file'
  /** The member who uploads the file; undefined outside of a request. */
  uploader?: UploaderAndAbortSignal | undefined
}

export interface MediaServiceOptions extends Pick<MediaCleanupDependencies, 'dataFolder' | 'singleProcess'> {
  /** The Redis with which the upload quota counts over all processes; null if there is only one process. */
  redis?: Redis | null
  /** Throws 507 if the disk has no room for an upload. */
  requireRoom?: () => Promise<void>
  /** The origin with which the URLs of pictures and files begin; may be empty. */
  origin: string
}

export type MediaService = ReturnType<typeof createMediaService>

export function createMediaService(
  db: Db,
  storage: MediaStorage,
  { dataFolder, origin, singleProcess, redis = null, requireRoom }: MediaServiceOptions,
  log: FastifyBaseLogger,
) {
  const scratch = join(dataFolder, 'scratch')
  mkdirSync(scratch, { recursive: true })
  const queue = createImageDecodingQueue()
  const { cleanUp, close } = startMediaCleanup({ db, storage, dataFolder, singleProcess }, log)

  /**
   * Converts an upload to a picture, or returns the metadata of a file that is stored as it was uploaded.
   * If the upload is not accepted, returns null and adds the error to `invalid`.
   */
  async function processUpload(upload: UploadedRequestFile, sizes: ImageOutputSizes, invalid: HttpError[]) {
    if (upload.type === 'file') return checkNonPictureFileAndReadMetadata(upload).catch(collectInvalid)
    // sharp takes 0.1 s and 12 MB to load, so it is loaded with the first upload.
    const {
      checkImageAndReadAnimatedAndLargeFlags: inspectImage,
      convertImageToPictureMetadataAndWebpFiles: processImage,
    } = await import('#core/media/images.ts')
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
   * Deletes a picture or file unless it is attached. `failed` says that an error was thrown; the picture or
   * file may be attached nevertheless, because the commit may have succeeded although its answer was lost.
   * `mayArrive` says that the storage may still store a file later, so a later cleanup must delete the
   * files once more.
   */
  async function deleteUnattached(
    { name, widths = [] }: { name: string; widths?: readonly number[] },
    failed: boolean,
    mayArrive: boolean,
  ) {
    // Deletes the files even if the picture or file has no row any more: `cleanUp` may have deleted the
    // row of this slow upload before its last files were written.
    if (
      !(await deleteOnePendingMediaItem(db, storage, name, mayArrive)) &&
      failed &&
      !(await hasMediaRow(db, name))
    )
      await deleteFilesOfMediaItemFromStorage(storage, name, widths.join(','))
  }

  return {
    cleanUp,
    close,
    /** Returns the number of uploads that wait to be decoded. */
    queueLength: queue.waiting,
    /** Reserves the bytes of a member's request in the limit of concurrent uploads; see quota.ts. */
    reserve: createConcurrentUploadLimiter(redis),
    url: (name: string, width: number) => `${origin}/media/${toPictureStorageName(name, width)}`,
    /** Returns the URL at which members get a file that is stored as it was uploaded. */
    filePath: (name: string) => `${origin}/files/${name}`,
    /**
     * Writes an uploaded file of a request to DATA_DIR/scratch, up to `maxBytes`. Sets `isTooLarge` if the
     * file has more bytes. Throws 507, and deletes what it has written, once the disk has no room.
     */
    async receive(
      { field, filename, type = 'picture', maxBytes = Number.POSITIVE_INFINITY }: ReceivedFile,
      file: Readable,
      uploader?: UploaderAndAbortSignal,
    ): Promise<UploadedRequestFile & { isTooLarge: boolean }> {
      // Browsers send a file input that was left empty as a file without a name.
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
    async discard(uploads: readonly UploadedRequestFile[]) {
      for (const { path } of uploads) await rm(path, { force: true })
    },
    /**
     * Converts uploads to pictures, stores other uploads as they are, and calls `work`, which attaches the
     * pictures and files to rows. Afterwards deletes the pictures and files that `work` has not attached.
     * Throws 422 with the names of the files that are not accepted, 503 if the storage is unavailable, and
     * 507 if it is full.
     */
    async store<T>(
      uploads: readonly UploadedRequestFile[],
      sizes: ImageOutputSizes,
      work: (pictures: PictureMetadata[], files: NonPictureFileMetadata[]) => Promise<T>,
    ) {
      const pictures: PictureMetadata[] = []
      const files: NonPictureFileMetadata[] = []
      const invalid: HttpError[] = []
      let [failed, mayArrive] = [true, false]
      try {
        for (const upload of uploads) {
          const made = await processUpload(upload, sizes, invalid)
          if (!made || invalid.length) continue
          await insertPendingMediaRow(db, 'picture' in made ? made.picture : made)
          if ('picture' in made) pictures.push(made.picture)
          else files.push(made)
          mayArrive = true
          if ('picture' in made) await writeFiles(storage, made)
          else await storage.writeFile(toNonPictureStorageName(made.name), upload.path)
          mayArrive = false
        }
        if (invalid.length) throw mergeErrors(invalid)
        const result = await work(pictures, files)
        failed = false
        return result
      } finally {
        // Ignores an error: the pending rows remain, and the next cleanUp deletes the files.
        await Promise.all(
          [...pictures, ...files].map((made) => deleteUnattached(made, failed, mayArrive)),
        ).catch(() => {})
      }
    },
    /**
     * Deletes the pictures and files with these names that are in `unreferenced_media`, unless a row still
     * refers to them.
     */
    async deleteUnreferenced(names: readonly string[]) {
      const work = (name: string) => deleteOneUnreferencedMediaItem(db, storage, name)
      // Ignores an error: the rows in unreferenced_media remain, and the next cleanup deletes the files.
      await forEachConcurrently(names, MEDIA_DELETE_CONCURRENCY, work).catch(() => {})
    },
  }
}

interface ReceivedFile {
  field: string
  filename: string
  type?: UploadedRequestFile['type']
  maxBytes?: number
}

/**
 * Creates a stream that passes on the first `maxBytes` bytes and hashes them. It reads and drops the other
 * bytes, because the reader of the form continues only when the whole file has been read. Calls `requireRoom`
 * after every LOOK_BYTES, because other uploads fill the disk too, and fails with its error.
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

/**
 * Writes the files of a picture. Waits for all writes even after a failure: no write may end after the
 * picture's files were deleted.
 */
async function writeFiles(storage: MediaStorage, { picture, files }: PictureMetadataAndWebpFiles) {
  const results = await Promise.allSettled(
    files.map(({ width, bytes }) => storage.write(toPictureStorageName(picture.name, width), bytes)),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** Returns one error with the messages of all invalid files. */
function mergeErrors(invalid: readonly HttpError[]) {
  const fields: Record<string, BilingualSentence[]> = {}
  for (const error of invalid)
    for (const [field, list] of Object.entries(error.fields ?? {})) (fields[field] ??= []).push(...list)
  return new HttpError(422, invalid[0]!.messages, fields)
}
