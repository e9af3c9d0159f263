import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { errors, type HttpError } from '#core/http/errors.ts'
import type { Bucket } from '#core/media/storage.ts'

const TRIES = 3
/** ms: to connect; until the answer to one try begins; the same of one call with all its tries; of silence in an answer, which also a slow reader makes. */
const PATIENCE = { connect: 5000, one: 15_000, all: 30_000, silence: 60_000 }
const agent = { keepAlive: true, maxSockets: 500 }

export interface S3Options {
  region?: string | undefined
  /** Of one call with all its tries, ms. */
  patience?: number
}

/**
 * The bucket that `s3://bucket/prefix?endpoint=…&region=…` names, with the credentials that the SDK finds (AWS_ACCESS_KEY_ID …).
 * A store that does not answer is a refusal: 503, or 507 where it is full; none is waited for longer than half a minute.
 */
export function s3Storage(url: string, { region, patience = PATIENCE.all }: S3Options = {}): Bucket {
  const { hostname: Bucket, pathname, searchParams } = new URL(url)
  const folders = pathname.split('/').filter(Boolean)
  const prefix = folders.map((folder) => `${decodeURIComponent(folder)}/`).join('')
  const endpoint = searchParams.get('endpoint')
  const where = searchParams.get('region') ?? region ?? (endpoint ? 'us-east-1' : undefined)
  const client = new S3Client({
    ...(where && { region: where }),
    ...(endpoint && { endpoint, forcePathStyle: true }),
    maxAttempts: TRIES,
    // What AWS alone knows is left out: other makers' stores refuse it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: PATIENCE.connect,
      socketTimeout: PATIENCE.silence,
      requestTimeout: PATIENCE.one,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
  const file = (name: string) => ({ Bucket, Key: prefix + name })
  const within = () => ({ abortSignal: AbortSignal.timeout(patience) })

  async function get(name: string, abortSignal: AbortSignal, range?: string) {
    try {
      const given = await client.send(
        new GetObjectCommand({ ...file(name), ...(range && { Range: range }) }),
        { abortSignal },
      )
      return { ...aboutOf(given), range: given.ContentRange ?? null, body: given.Body as Readable }
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw statusOf(error) === 416
        ? Object.assign(new Error('No such part'), { statusCode: 416 })
        : broken(error, errors.notShown())
    }
  }

  return {
    folder: null,
    async write(name, bytes) {
      const given = {
        ...file(name),
        Body: bytes,
        ContentType: 'image/webp',
        CacheControl: 'public, max-age=31536000, immutable',
      }
      await client.send(new PutObjectCommand(given), within()).catch((error: unknown) => {
        throw broken(error, isFull(error) ? errors.diskFull() : errors.notStored())
      })
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand(file(name)), within()).catch((error: unknown) => {
        throw broken(error, errors.notStored())
      })
    },
    async read(name) {
      const given = await get(name, within().abortSignal)
      return given && Buffer.concat(await given.body.toArray())
    },
    async *list() {
      let from: string | undefined
      do {
        const asked = new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: from })
        const page: ListObjectsV2CommandOutput = await client.send(asked, within())
        for (const { Key, Size } of page.Contents ?? [])
          yield { name: Key!.slice(prefix.length), bytes: Size! }
        from = page.NextContinuationToken
      } while (from)
    },
    async check() {
      // A file that is not there: who may not list is told 403 instead, and would see every missing picture as a failure.
      const asked = client.send(new GetObjectCommand(file('none')), within())
      const reason = await asked.then(() => 'NoSuchKey', reasonOf)
      if (reason !== 'NoSuchKey') throw new Error(reason)
    },
    async stream(name, { range, signal }) {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), patience)
      return get(name, AbortSignal.any([late.signal, signal]), range).finally(() => clearTimeout(timer))
    },
    async about(name) {
      const given = client.send(new HeadObjectCommand(file(name)), within())
      return given.then(aboutOf, (error: unknown) => {
        if (statusOf(error) === 404) return null
        throw broken(error, errors.notShown())
      })
    },
    close: () => client.destroy(),
  }
}

const aboutOf = ({ ETag, LastModified, ContentLength }: HeadObjectCommandOutput) => ({
  etag: ETag!,
  modified: LastModified!,
  bytes: ContentLength!,
})

type Failure = { name: string; code?: string; $metadata?: { httpStatusCode?: number } }
const statusOf = (error: unknown) => (error as Failure).$metadata?.httpStatusCode
/** Names alone: messages may hold addresses and keys. */
const reasonOf = (error: unknown) => (error as Failure).code ?? (error as Failure).name
/** Each maker has a name of its own for it: QuotaExceeded, XMinioStorageFull, … */
const isFull = (error: unknown) =>
  statusOf(error) === 507 || /Quota|StorageFull|InsufficientStorage/i.test((error as Failure).name)

/** The log is told why. */
const broken = (error: unknown, refusal: HttpError) =>
  Object.assign(refusal, { cause: new Error(`S3 said ${reasonOf(error)}`) })
