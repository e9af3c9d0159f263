import { HttpError } from '#core/http/errors.ts'

/** Requests with pictures that a member may have at a time, from their first byte to their answer. */
const MAX_UPLOADS = 8
/** Bytes of these requests together: two posts with four pictures of 10 MB. */
const MAX_BYTES = 84 * 2 ** 20
/** Seconds until some of the member's pictures are processed. */
const RETRY_AFTER = 5

/**
 * Counts the uploads of each member. The function that it returns reserves `bytes` for a request and returns
 * the function that releases them. It throws 429 where the member has too many uploads.
 */
export function createUploadQuota() {
  const reserved = new Map<number, { uploads: number; bytes: number }>()
  const add = (member: number, uploads: number, bytes: number) => {
    const before = reserved.get(member) ?? { uploads: 0, bytes: 0 }
    const after = { uploads: before.uploads + uploads, bytes: before.bytes + bytes }
    if (uploads > 0 && (after.uploads > MAX_UPLOADS || after.bytes > MAX_BYTES)) throw tooManyUploads()
    if (after.uploads) reserved.set(member, after)
    else reserved.delete(member)
  }
  return (member: number, bytes: number) => {
    add(member, 1, bytes)
    return () => add(member, -1, -bytes)
  }
}

const tooManyUploads = () =>
  new HttpError(
    429,
    {
      en: 'Your other pictures are still being processed. Try again in a moment.',
      ja: '先に送信した画像を処理しています。しばらくしてからもう一度お試しください。',
    },
    undefined,
    { 'retry-after': String(RETRY_AFTER) },
  )
