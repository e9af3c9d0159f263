import { createHash, createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { Config } from '#core/config.ts'
import { HttpError } from '#core/http/errors.ts'
import type { Server } from '#core/http/server.ts'
import { closeIfLargeBody } from '#core/http/unknown-routes.ts'
import type { Redis } from '#core/process/redis.ts'
import { isPresenceChannel } from '#core/realtime/channels.ts'
import { createFirstCheck } from '#core/realtime/first-arrival.ts'
import type { RealtimeServer } from '#core/realtime/server.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'
import { parseJson } from '#core/text/json.ts'

const MAX_DATA = 10_240
const MAX_CHANNELS = 100
const MAX_BATCH = 10
/** Seconds between the publisher's clock and this server's. */
const MAX_CLOCK_DIFFERENCE = 600

/** A usual channel, or that of a single user (`userChannel`). */
const channelName = v.pipe(v.string(), v.regex(/^(#server-to-user-\S{1,200}|[\w\-=@,.;]{1,200})$/))
const Event = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  data: v.string(),
  channel: v.optional(channelName),
  channels: v.optional(v.pipe(v.array(channelName), v.maxLength(MAX_CHANNELS))),
  socket_id: v.nullish(v.pipe(v.string(), v.regex(/^\d+\.\d+$/))),
  info: v.nullish(v.string()),
})
type Event = v.InferOutput<typeof Event>
const Batch = v.object({ batch: v.pipe(v.array(Event), v.maxLength(MAX_BATCH)) })

/** A repeated request must change nothing. */
type IsFirst = (request: FastifyRequest) => Promise<boolean>

interface Params {
  app: string
  user: string
  channel: string
}

/**
 * The API by which other servers publish (https://pusher.com/docs/channels/library_auth_reference/rest-api/).
 * A signed request sent again gets the same answer and changes nothing (see docs/realtime.md).
 */
export function serveHttpApi(
  { app, limits }: Pick<Server, 'app' | 'limits'>,
  realtime: RealtimeServer,
  config: Config,
  redis: Redis | null,
) {
  const isFirstArrival = createFirstCheck(redis, 2 * MAX_CLOCK_DIFFERENCE * 1000)
  const isFirst: IsFirst = (request) => isFirstArrival(readSignature(request))
  return app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'string' }, (_, text, done) => done(null, text))
      // The rate limit of the address counts only requests without a valid signature, whose client may be
      // guessing.
      const refuse = async (request: FastifyRequest, error: HttpError) => {
        await limits.limitRequests(request)
        throw error
      }
      scope.addHook('onRequest', async (request, reply) => {
        const isKnown = (request.params as Params).app === config.PUSHER_APP_ID
        if (isKnown && isQuerySigned(request, config)) return
        closeIfLargeBody(request, reply)
        await refuse(request, isKnown ? notSigned() : noSuchApp())
      })
      scope.addHook('preHandler', async (request) => {
        if (!isBodySigned(request)) await refuse(request, notSigned())
      })
      serveEvents(scope, realtime, isFirst)
      serveChannels(scope, realtime)
      scope.post('/users/:user/terminate_connections', async (request) => {
        if (await isFirst(request)) realtime.terminateUserConnections((request.params as Params).user)
        return {}
      })
    },
    { prefix: '/apps/:app' },
  )
}

function serveEvents(scope: FastifyInstance, realtime: RealtimeServer, isFirst: IsFirst) {
  scope.post('/events', async (request) => {
    const event = parseBody(Event, request)
    const publish = preparePublishing(realtime, event)
    const channels = await publish(await isFirst(request))
    return event.info ? { channels } : {}
  })
  scope.post('/batch_events', async (request) => {
    const { batch } = parseBody(Batch, request)
    // All events are checked before the first is published.
    const publishAll = batch.map((event) => preparePublishing(realtime, event))
    const isNew = await isFirst(request)
    const responses = await Promise.all(
      publishAll.map(async (publish) => Object.values(await publish(isNew))[0]),
    )
    return batch.some(({ info }) => info) ? { batch: responses } : {}
  })
}

function serveChannels(scope: FastifyInstance, realtime: RealtimeServer) {
  scope.get('/channels', async (request) => {
    const { filter_by_prefix: prefix = '', info } = queryOf(request)
    if (info && !isPresenceChannel(prefix))
      throw invalid('info', 'Counts are given where filter_by_prefix begins with presence-.')
    const counts = await realtime.subscriptionCounts({ prefix })
    const channels = [...counts.keys()].map((name) => [name, readInfo(realtime, name, info, counts)])
    return { channels: Object.fromEntries(channels) }
  })
  scope.get('/channels/:channel', async (request) => {
    const { channel } = request.params as Params
    const counts = await realtime.subscriptionCounts({ names: [channel] })
    return { occupied: counts.has(channel), ...readInfo(realtime, channel, queryOf(request).info, counts) }
  })
  scope.get('/channels/:channel/users', (request) => {
    const { channel } = request.params as Params
    if (!isPresenceChannel(channel)) throw invalid('channel', 'Only presence channels have users.')
    return { users: realtime.memberIds(channel).map((id) => ({ id })) }
  })
}

/** The result publishes only if `isNew`, and resolves to the counts of the channels. */
function preparePublishing(
  realtime: RealtimeServer,
  { name: eventName, data, channel, socket_id, info, ...event }: Event,
) {
  const channels = event.channels ?? (channel ? [channel] : [])
  if (!channels.length) throw invalid('channels', 'An event needs a channel.')
  if (Buffer.byteLength(data) > MAX_DATA)
    throw new HttpError(413, untranslated(`The data of an event is larger than ${MAX_DATA} bytes.`))
  return async (isNew: boolean) => {
    if (isNew) realtime.broadcastJson(channels, eventName, data, { except: socket_id ?? undefined })
    const counts = info ? await realtime.subscriptionCounts({ names: channels }) : new Map()
    return Object.fromEntries(channels.map((name) => [name, readInfo(realtime, name, info, counts)]))
  }
}

/** Only presence channels have a `user_count`. */
function readInfo(
  realtime: RealtimeServer,
  channel: string,
  info: string | null | undefined,
  counts: ReadonlyMap<string, number>,
) {
  const names = (info ?? '').split(',')
  return {
    ...(names.includes('subscription_count') && { subscription_count: counts.get(channel) ?? 0 }),
    ...(names.includes('user_count') &&
      isPresenceChannel(channel) && { user_count: realtime.memberIds(channel).length }),
  }
}

/** Joins repeated parameters with commas, as in the signed text. */
const queryOf = (request: FastifyRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(request.query as object).map(([name, value]) => [name, String(value)]))

function parseBody<S extends v.GenericSchema>(schema: S, request: FastifyRequest): v.InferOutput<S> {
  const result = v.safeParse(schema, parseJson(String(request.body ?? '')))
  if (result.success) return result.output
  // The name of the wrong field is the last string of the path: after `channels` comes an index.
  const path = result.issues[0].path?.map(({ key }) => key) ?? []
  const field = path.findLast((key) => typeof key === 'string') ?? 'body'
  throw invalid(field, `The ${field} field is missing or not valid.`)
}

/** The bytes are the same however the client writes the signature. */
const readSignature = (request: FastifyRequest) =>
  Buffer.from((request.query as Record<string, string>).auth_signature ?? '', 'hex')

const untranslated = (sentence: string) => ({ en: sentence, ja: sentence })
/** 400, the status with which Pusher answers too. */
const invalid = (field: string, sentence: string) =>
  new HttpError(400, untranslated(sentence), { [field]: [untranslated(sentence)] })

const notSigned = () => new HttpError(401, untranslated('The signature is wrong, or too old.'))
const noSuchApp = () => new HttpError(404, untranslated('There is no such app.'))

/** The signature covers method, path and query with the body's MD5, so it is checked before reading it. */
function isQuerySigned(request: FastifyRequest, { PUSHER_APP_KEY, PUSHER_APP_SECRET }: Config) {
  const { auth_signature: _, ...query } = request.query as Record<string, string>
  const [path] = request.url.split('?')
  const pairs = Object.entries(query).map(([key, value]) => [key.toLowerCase(), value] as const)
  const sorted = pairs.sort(([a], [b]) => (a < b ? -1 : 1)).map((pair) => pair.join('='))
  const expected = createHmac('sha256', PUSHER_APP_SECRET)
    .update([request.method, path, sorted.join('&')].join('\n'))
    .digest()
  return (
    query.auth_key === PUSHER_APP_KEY &&
    Math.abs(Number(query.auth_timestamp) - Date.now() / 1000) <= MAX_CLOCK_DIFFERENCE &&
    areSecretsEqual(readSignature(request), expected)
  )
}

/** Compares its MD5 with the signed query. Also true without a body. */
function isBodySigned({ body, query }: FastifyRequest) {
  if (typeof body !== 'string' || !body) return true
  const { body_md5 = '' } = query as Record<string, string>
  return areSecretsEqual(String(body_md5), createHash('md5').update(body).digest('hex'))
}
