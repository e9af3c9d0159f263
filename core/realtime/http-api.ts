import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { Config } from '#core/config.ts'
import { authorise } from '#core/contract.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { errors, fieldError, HttpError } from '#core/http/errors.ts'
import type { HttpServer } from '#core/http/server.ts'
import type { Realtime } from '#core/realtime/server.ts'

// ── For members: leave to subscribe ─────────────────────────────────────────

export const realtimeEndpoints = { authorise }

export const realtimeRoutes: Handlers<typeof realtimeEndpoints> = {
  authorise: async ({ realtime, me, session, input }) => {
    const signed = await realtime.authorise(me.id, session.token, input.socket_id, input.channel_name)
    // Looked up after the socket is bound: a log-out or a suspension meanwhile ends one or the other.
    if (!(await session.isAlive())) {
      realtime.revoke({ session: session.token })
      throw errors.unauthenticated()
    }
    if (signed) return signed
    throw new HttpError(403, {
      en: 'This channel is not open to you.',
      ja: 'このチャンネルには参加できません。',
    })
  },
}

// ── For servers: the Pusher HTTP API ────────────────────────────────────────

const MOST_DATA = 10_240
const MOST_CHANNELS = 100
const MOST_EVENTS = 10
/** Seconds by which the clocks of a server and ours may differ. */
const STALE = 600

const name = v.pipe(v.string(), v.regex(/^[\w\-=@,.;]{1,200}$/))
const Event = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  data: v.string(),
  channel: v.optional(name),
  channels: v.optional(v.pipe(v.array(name), v.maxLength(MOST_CHANNELS))),
  socket_id: v.nullish(v.pipe(v.string(), v.regex(/^\d+\.\d+$/))),
  info: v.nullish(v.string()),
})
const Batch = v.object({ batch: v.pipe(v.array(Event), v.maxLength(MOST_EVENTS)) })

/** https://pusher.com/docs/channels/library_auth_reference/rest-api/ */
export function servePublisherApi(
  { app, limits: { flood } }: Pick<HttpServer, 'app' | 'limits'>,
  live: Realtime,
  config: Config,
) {
  const base = '/apps/:app'
  type Asked = { app: string; channel: string }
  /** What comes twice is a list with commas, as it is where it is signed. */
  const query = (request: FastifyRequest): Record<string, string> =>
    Object.fromEntries(Object.entries(request.query as object).map(([name, given]) => [name, String(given)]))

  /** What is asked for of a channel: looked at before anything is done, told from the counts afterwards. */
  function asked(channel: string, info: string | null | undefined) {
    const wanted = (info ?? '').split(',').filter(Boolean)
    if (wanted.includes('user_count') && !isPresence(channel))
      throw wrong('info', 'user_count is of presence channels alone.')
    return (counts: ReadonlyMap<string, number>) => ({
      ...(wanted.includes('subscription_count') && { subscription_count: counts.get(channel) ?? 0 }),
      ...(wanted.includes('user_count') && { user_count: live.memberIds(channel).length }),
    })
  }
  function publish({
    name,
    data,
    channel,
    channels = channel ? [channel] : [],
    socket_id,
    info,
  }: v.InferOutput<typeof Event>) {
    if (!channels.length) throw wrong('channels', 'An event needs a channel.')
    if (Buffer.byteLength(data) > MOST_DATA)
      throw new HttpError(413, same(`The data of an event is larger than ${MOST_DATA} bytes.`))
    const answers = channels.map((one) => [one, asked(one, info)] as const)
    return async () => {
      live.broadcastJson(channels, name, data, socket_id ?? undefined)
      const counts = info ? await live.subscriptionCounts({ names: channels }) : new Map()
      return Object.fromEntries(answers.map(([one, answer]) => [one, answer(counts)]))
    }
  }
  const said = <S extends v.GenericSchema>(schema: S, request: FastifyRequest): v.InferOutput<S> => {
    const given = v.safeParse(schema, parsed(String(request.body ?? '')))
    if (given.success) return given.output
    const field = String(given.issues[0].path?.at(-1)?.key ?? 'body')
    throw wrong(field, `The ${field} field is missing or not valid.`)
  }

  return app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_, text, done) => done(null, text))
    scope.addHook('preHandler', async (request, reply) => {
      const known = (request.params as Asked).app === config.PUSHER_APP_ID
      if (known && isSigned(request, config)) return
      // Whoever holds the secret may publish as much as they like; who guesses may not.
      await flood(request, reply)
      throw known
        ? new HttpError(401, same('The signature is wrong, or too old.'))
        : new HttpError(404, same('There is no such app.'))
    })

    scope.post(`${base}/events`, async (request) => {
      const event = said(Event, request)
      const channels = await publish(event)()
      return event.info ? { channels } : {}
    })
    scope.post(`${base}/batch_events`, async (request) => {
      const { batch } = said(Batch, request)
      // All of them are looked at before the first leaves.
      const answers = await Promise.all(
        batch.map(publish).map((send) => send().then((channels) => Object.values(channels)[0])),
      )
      return batch.some(({ info }) => info) ? { batch: answers } : {}
    })
    scope.get(`${base}/channels`, async (request) => {
      const { filter_by_prefix: prefix = '', info } = query(request)
      if (info && !isPresence(prefix))
        throw wrong('info', 'Counts are given where filter_by_prefix begins with presence-.')
      const counts = await live.subscriptionCounts({ prefix })
      return {
        channels: Object.fromEntries([...counts.keys()].map((one) => [one, asked(one, info)(counts)])),
      }
    })
    scope.get(`${base}/channels/:channel`, async (request) => {
      const { channel } = request.params as Asked
      const answer = asked(channel, query(request).info)
      const counts = await live.subscriptionCounts({ names: [channel] })
      return { occupied: counts.has(channel), ...answer(counts) }
    })
    scope.get(`${base}/channels/:channel/users`, (request) => {
      const { channel } = request.params as Asked
      if (!isPresence(channel)) throw wrong('channel', 'Only presence channels have users.')
      return { users: live.memberIds(channel).map((id) => ({ id })) }
    })
  })
}

const isPresence = (channel: string) => channel.startsWith('presence-')
const same = (sentence: string) => ({ en: sentence, ja: sentence })
const wrong = (field: string, sentence: string) => fieldError(field, same(sentence))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The method, the path and the sorted query, signed; the body by its MD5 in the query. */
function isSigned(request: FastifyRequest, { PUSHER_APP_KEY, PUSHER_APP_SECRET }: Config) {
  const { auth_signature = '', ...query } = request.query as Record<string, string>
  const [path] = request.url.split('?')
  const pairs = Object.entries(query).map(([key, value]) => [key.toLowerCase(), value] as const)
  const sorted = pairs.sort(([a], [b]) => (a < b ? -1 : 1)).map((pair) => pair.join('='))
  const expected = createHmac('sha256', PUSHER_APP_SECRET)
    .update([request.method, path, sorted.join('&')].join('\n'))
    .digest()
  const given = Buffer.from(auth_signature, 'hex')
  const body = typeof request.body === 'string' ? request.body : ''
  return (
    query.auth_key === PUSHER_APP_KEY &&
    Math.abs(Number(query.auth_timestamp) - Date.now() / 1000) <= STALE &&
    given.length === expected.length &&
    timingSafeEqual(given, expected) &&
    (!body || query.body_md5 === createHash('md5').update(body).digest('hex'))
  )
}
