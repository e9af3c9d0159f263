import type { FastifyReply, FastifyRequest } from 'fastify'
import { toHttpError } from '#core/http/errors.ts'

/** Whether the address of a picture or file is opened in a tab of its own, and not by a page. */
export const opensMissingFile = ({ url, headers }: FastifyRequest) =>
  /^\/(media|files)\//.test(url) && headers['sec-fetch-dest'] === 'document'

/** The page of the app in place of a line of JSON. */
export function showMissingFile(error: Error, request: FastifyRequest, reply: FastifyReply) {
  if (toHttpError(error)?.status !== 404 || !opensMissingFile(request)) throw error
  reply.callNotFound()
}
