import { maxPostLength } from '#features/posts/web/limits.ts'
import { MAX_REPLY_LENGTH } from '../contract.ts'

export const maxReplyLength = Math.min(maxPostLength, MAX_REPLY_LENGTH)
