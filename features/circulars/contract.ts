import { endpoints } from '#core/contract.ts'
import type { circularSchemas } from './schemas.ts'

// A circular (回覧板) is a post with a file.

export const circularEndpoints = endpoints<typeof circularSchemas>({
  posts: 'GET /api/circulars/posts',
})
