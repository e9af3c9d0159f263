import { randomUUID } from 'node:crypto'
import { HttpError } from '#core/http/errors.ts'
import type { Redis } from '#core/redis.ts'

/**
 * How many requests with pictures or files a member may have at a time. A request counts from its first
 * byte to its response.
 */
const MAX_UPLOADS = 8
/**
 * The maximum size of a member's concurrent requests together, in bytes: two posts with four pictures of 10
 * MB. It is higher for a request whose own limit is higher, so that one such request is possible.
 */
const MAX_BYTES = 84 * 2 ** 20
/** The Retry-After value, in seconds: some of the member's uploads are processed by then. */
const RETRY_AFTER = 5
/**
 * Milliseconds after which a reservation in Redis expires, so that a killed process does not block its
 * member.
 */
const RESERVATION_TIMEOUT = 10 * 60_000

/**
 * The script that reserves bytes for a request; it returns 0 if the member would have too many uploads, or
 * too many bytes in them. KEYS[1] is a sorted set of the member's requests (`id bytes`), by the time at
 * which their reservations expire.
 */
const RESERVE = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('zremrangebyscore', KEYS[1], '-inf', now)
  local uploads, bytes = 1, tonumber(ARGV[2])
  for _, entry in ipairs(redis.call('zrange', KEYS[1], 0, -1)) do
    uploads = uploads + 1
    bytes = bytes + tonumber(string.match(entry, ' (%d+)$'))
  end
  if uploads > ${MAX_UPLOADS} or bytes > tonumber(ARGV[4]) then return 0 end
  redis.call('zadd', KEYS[1], now + ARGV[3], ARGV[1] .. ' ' .. ARGV[2])
  redis.call('pexpire', KEYS[1], ARGV[3])
  return 1`
const RELEASE = `return redis.call('zrem', KEYS[1], ARGV[1] .. ' ' .. ARGV[2])`

/**
 * Counts the uploads of each member; with Redis, those to all processes together. Returns a function that
 * reserves `bytes` for a request, whose size is at most `limit`, and resolves to a function that releases
 * them. It throws 429 if the member would have too many uploads, or too many bytes in them. While Redis is
 * unavailable, each process counts its own uploads.
 */
export function createConcurrentUploadLimiter(redis: Redis | null, timeout = RESERVATION_TIMEOUT) {
  const reserveHere = createLocalQuota()
  return async (member: number, bytes: number, limit = 0) => {
    const maxBytes = Math.max(MAX_BYTES, limit)
    const releaseHere = reserveHere(member, bytes, maxBytes)
    if (!redis) return releaseHere
    const key = `${redis.keyPrefix}:uploads:${member}`
    const entry = [randomUUID(), String(bytes)]
    const isFree = await redis
      .runScript(RESERVE, key, ...entry, String(timeout), String(maxBytes))
      .catch(() => 1)
    if (isFree) {
      return () => {
        releaseHere()
        // Ignores an error, because the entry in Redis expires by itself.
        redis.runScript(RELEASE, key, ...entry).catch(() => {})
      }
    }
    releaseHere()
    throw tooManyUploads()
  }
}

function createLocalQuota() {
  const reserved = new Map<number, { uploads: number; bytes: number }>()
  const add = (member: number, uploads: number, bytes: number, maxBytes: number) => {
    const before = reserved.get(member) ?? { uploads: 0, bytes: 0 }
    const after = { uploads: before.uploads + uploads, bytes: before.bytes + bytes }
    if (uploads > 0 && (after.uploads > MAX_UPLOADS || after.bytes > maxBytes)) throw tooManyUploads()
    if (after.uploads) reserved.set(member, after)
    else reserved.delete(member)
  }
  return (member: number, bytes: number, maxBytes: number) => {
    add(member, 1, bytes, maxBytes)
    return () => add(member, -1, -bytes, maxBytes)
  }
}

const tooManyUploads = () =>
  new HttpError(
    429,
    {
      en: 'Your other pictures or files are still being processed. Try again in a moment.',
      ja: '先に送信した画像やファイルを処理しています。しばらくしてからもう一度お試しください。',
    },
    undefined,
    { 'retry-after': String(RETRY_AFTER) },
  )
