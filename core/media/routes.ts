import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '#core/http/errors.ts'
import type { About, Bucket, Folder } from '#core/media/storage.ts'

const YEAR = 365 * 24 * 3600
export const immutable = `public, max-age=${YEAR}, immutable`
/** What a name stands for never changes, and other sites may show it. */
const forAll = { 'cache-control': immutable, 'cross-origin-resource-policy': 'cross-origin' }

/** Serves the files of pictures at /media/: as files of a folder, or passed on from a bucket. */
export async function serveMedia(app: FastifyInstance, store: Folder | Bucket) {
  if (store.folder === null) return passOn(app, store)
  await app.register(fastifyStatic, {
    root: store.folder,
    prefix: '/media/',
    index: false,
    cacheControl: false,
    setHeaders(reply) {
      for (const [name, value] of Object.entries(forAll)) reply.header(name, value)
    },
  })
}

function passOn(app: FastifyInstance, bucket: Bucket) {
  const headersOf = ({ etag, modified, bytes }: About) => ({
    ...forAll,
    etag,
    'accept-ranges': 'bytes',
    'last-modified': modified.toUTCString(),
    'content-type': 'image/webp',
    'content-length': bytes,
  })

  /** What there is to say without the file itself; false where the file is wanted. */
  async function answered(name: string, request: FastifyRequest, reply: FastifyReply) {
    const { 'if-none-match': tag, 'if-modified-since': since } = request.headers
    if (request.method !== 'HEAD' && !tag && !since) return false
    const about = await bucket.about(name)
    if (!about) throw errors.notFound()
    const fresh = isFresh(request, about)
    if (fresh) reply.status(304).headers(forAll).header('etag', about.etag).send()
    else if (request.method === 'HEAD') reply.headers(headersOf(about)).send()
    return fresh || request.method === 'HEAD'
  }

  async function pass(name: string, range: string | undefined, reply: FastifyReply) {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const given = await bucket
      .stream(name, { range, signal: gone.signal })
      .catch(async (error: { statusCode?: number }) => {
        if (gone.signal.aborted) return null // nobody hears the answer
        const whole = error.statusCode === 416 && (await bucket.about(name))
        throw whole ? Object.assign(error, { headers: { 'content-range': `bytes */${whole.bytes}` } }) : error
      })
    if (!given) throw errors.notFound()
    reply.status(given.range ? 206 : 200).headers(headersOf(given))
    if (given.range) reply.header('content-range', given.range)
    return reply.send(given.body)
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/*',
    async handler(request, reply) {
      const name = (request.params as { '*': string })['*']
      if (!/^[0-9a-f]{40}-\d{1,5}\.webp$/.test(name)) throw errors.notFound()
      if (await answered(name, request, reply)) return reply
      const { range = '', 'if-range': known } = request.headers
      return pass(name, /^bytes=(\d+-\d*|-\d+)$/.test(range) && !known ? range : undefined, reply)
    },
  })
}

/** Whether a browser has it already (RFC 9110, 13.1.2 and 13.1.3). */
function isFresh({ headers }: FastifyRequest, { etag, modified }: About) {
  const known = headers['if-none-match']
  if (known) return known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  const since = headers['if-modified-since']
  return since !== undefined && Date.parse(since) >= Math.floor(modified.getTime() / 1000) * 1000
}
