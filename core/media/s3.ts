import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { type HttpError, httpErrors } from '#core/http/errors.ts'
import type { S3Storage } from '#core/media/storage.ts'
import * as storedNames from '#core/media/stored-names.ts'

const MAX_ATTEMPTS = 3
/**
 * In ms. `attempt`: until a response starts; `call`: one call with all attempts; `idle`: a response of which
 * no byte arrives, also because the server's own client does not read it.
 */
const TIMEOUTS = { connect: 5000, attempt: 15_000, call: 30_000, idle: 60_000 }
const agent = { keepAlive: true, maxSockets: 500 }

export interface S3Options {
  region?: string | undefined
  /** By default those that the SDK finds (AWS_ACCESS_KEY_ID …, a profile, the role of the machine). */
  credentials?: S3ClientConfig['credentials']
  /** Milliseconds for one call with all its attempts. */
  timeout?: number
}

/**
 * The bucket of `s3://bucket/prefix?endpoint=…&region=…`. Without an answer, `write`, `remove`, `read`,
 * `stat` and `stream` throw 503; if it is full, `write` throws 507.
 */
export function s3Storage(
  url: string,
  { region, credentials, timeout = TIMEOUTS.call }: S3Options = {},
): S3Storage {
  const { hostname: Bucket, prefix, ...location } = parseUrl(url, region)
  const client = openClient(location, credentials)
  const file = (name: string) => ({ Bucket, Key: prefix + name })
  const withTimeout = () => ({ abortSignal: AbortSignal.timeout(timeout) })

  async function get(name: string, abortSignal: AbortSignal, range?: string) {
    try {
      const command = new GetObjectCommand({ ...file(name), ...(range && { Range: range }) })
      const output = await client.send(command, { abortSignal })
      return { ...infoOf(output), range: output.ContentRange ?? null, body: output.Body as Readable }
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw statusOf(error) === 416
        ? Object.assign(new Error('No such part'), { statusCode: 416 })
        : withCause(httpErrors.notShown(), error)
    }
  }

  // Without CacheControl: the server sends its own, and files of guarded pictures may not be cached.
  const put = async (input: Omit<PutObjectCommandInput, 'Bucket' | 'Key' | 'ContentType'>, name: string) => {
    const ContentType = storedNames.requireContentType(name)
    await client
      .send(new PutObjectCommand({ ...file(name), ...input, ContentType }), withTimeout())
      .catch((error: unknown) => {
        throw withCause(isFull(error) ? httpErrors.diskFull() : httpErrors.notStored(), error)
      })
  }

  const findInfo = (name: string) =>
    client.send(new HeadObjectCommand(file(name)), withTimeout()).then(infoOf, (error: unknown) => {
      if (statusOf(error) === 404) return null
      throw withCause(httpErrors.notShown(), error)
    })

  return {
    folder: null,
    write: (name, bytes) => put({ Body: bytes }, name),
    async writeFile(name, path) {
      const { size: ContentLength } = await stat(path)
      await put({ Body: createReadStream(path), ContentLength }, name)
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand(file(name)), withTimeout()).catch((error: unknown) => {
        throw withCause(httpErrors.notStored(), error)
      })
    },
    async read(name) {
      const found = await get(name, withTimeout().abortSignal)
      return found && Buffer.concat(await found.body.toArray())
    },
    async *list() {
      let ContinuationToken: string | undefined
      do {
        const command = new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken })
        const page: ListObjectsV2CommandOutput = await client.send(command, withTimeout())
        for (const { Key, Size } of page.Contents ?? [])
          yield { name: Key!.slice(prefix.length), bytes: Size! }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken)
    },
    async check() {
      // Asks for a missing file: without the right to list, S3 answers 403 instead of NoSuchKey, and every
      // missing picture would look like a failure.
      const response = client.send(new GetObjectCommand(file('none')), withTimeout())
      const code = await response.then(() => 'NoSuchKey', codeOf)
      if (code !== 'NoSuchKey') throw new Error(code)
    },
    has: async (name) => (await findInfo(name)) !== null,
    stat: findInfo,
    async stream(name, { range, signal }) {
      // The timeout is only for the start of the response; the body may take longer.
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), timeout)
      return get(name, AbortSignal.any([late.signal, signal]), range).finally(() => clearTimeout(timer))
    },
    close: () => client.destroy(),
  }
}

function parseUrl(url: string, defaultRegion: string | undefined) {
  const { hostname, pathname, searchParams } = new URL(url)
  const folders = pathname.split('/').filter(Boolean)
  const endpoint = searchParams.get('endpoint')
  return {
    hostname,
    prefix: folders.map((folder) => `${decodeURIComponent(folder)}/`).join(''),
    endpoint,
    region: searchParams.get('region') ?? defaultRegion ?? (endpoint ? 'us-east-1' : undefined),
  }
}

const openClient = (
  { endpoint, region }: { endpoint: string | null; region: string | undefined },
  credentials: S3ClientConfig['credentials'],
) =>
  new S3Client({
    ...(credentials && { credentials }),
    ...(region && { region }),
    ...(endpoint && { endpoint, forcePathStyle: true }),
    maxAttempts: MAX_ATTEMPTS,
    // Services other than AWS reject checksums that only AWS supports.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: TIMEOUTS.connect,
      socketTimeout: TIMEOUTS.idle,
      requestTimeout: TIMEOUTS.attempt,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })

const infoOf = ({ ETag, LastModified, ContentLength }: HeadObjectCommandOutput) => ({
  etag: ETag!,
  modified: LastModified!,
  bytes: ContentLength!,
})

type S3Error = { name: string; code?: string; $metadata?: { httpStatusCode?: number } }
const statusOf = (error: unknown) => (error as S3Error).$metadata?.httpStatusCode
/** Without the message, which may contain addresses and keys. */
const codeOf = (error: unknown) => (error as S3Error).code ?? (error as S3Error).name
/** Each service has its own code: QuotaExceeded, XMinioStorageFull, … */
const isFull = (error: unknown) =>
  statusOf(error) === 507 || /Quota|StorageFull|InsufficientStorage/i.test((error as S3Error).name)

/** For the log. */
const withCause = (httpError: HttpError, error: unknown) =>
  Object.assign(httpError, { cause: new Error(`S3 said ${codeOf(error)}`) })
