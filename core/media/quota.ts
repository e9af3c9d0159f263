import { randomUUID } from 'node:crypto'
import { HttpError } from '#core/http/errors.ts'
import type { Redis } from '#core/process/redis.ts'

/** Requests of a member with pictures or files at a time, from the first byte to the response. */
const MAX_UPLOADS = 8
/** All requests at a time: two posts with four pictures of 10 MB, or one request whose limit is higher. */
const MAX_BYTES = 84 * 2 ** 20
/** Seconds: some of the member's uploads are processed by then. */
const RETRY_AFTER = 5
/** Milliseconds after which a reservation expires, so that a killed process does not block its member. */
const RESERVATION_TIMEOUT = 10 * 60_000

/** Returns 0 beyond the limits. KEYS[1] is a sorted set of requests (`id bytes`), by time of expiry. */
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
 * With Redis, counts the uploads to all processes; while it is unavailable, each counts its own. The result
 * reserves `bytes` for a request of at most `limit`, resolves to their release, and throws 429 if the member
 * would have too many uploads, or bytes in them.
 */
export function createUploadQuota(redis: Redis | null, timeout = RESERVATION_TIMEOUT) {
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
        // The entry in Redis expires by itself.
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
