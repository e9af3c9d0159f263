import * as v from 'valibot'
import { endpoint, isoTime, noInputSchema, optionalText } from '#core/schemas.ts'

export const exportStateSchema = v.object({
  /** `running` from the first attempt on, also between a failed attempt and the next one. */
  state: v.picklist(['waiting', 'running', 'ready', 'failed']),
  /** From 0 to 1. */
  progress: v.number(),
  /** Null until the archive is ready. */
  bytes: v.nullable(v.number()),
  created_at: isoTime,
  /** When the archive is deleted, or a failure no longer shown. Null until one of the two. */
  expires_at: v.nullable(isoTime),
})
export type ExportState = v.InferOutput<typeof exportStateSchema>
const ExportRequest = v.object({
  /** As the browser names it, such as `Asia/Tokyo`. If missing or unknown, that of the community, or UTC. */
  time_zone: optionalText(64),
})
const ExportAnswer = v.object({ export: v.nullable(exportStateSchema) })

export const exportSchemas = {
  /** Null if there is none. */
  state: endpoint('member', noInputSchema, ExportAnswer),
  /** In bytes. */
  storage: endpoint(
    'member',
    noInputSchema,
    v.object({ bytes: v.number(), max_bytes: v.nullable(v.number()) }),
  ),
  /** Replaces a finished archive. While one is being made, only returns its state. */
  request: endpoint('member', ExportRequest, ExportAnswer, {
    limits: [{ max: 10, by: 'account' }],
    needsConfirmation: true,
  }),
  /** Also stops one that is being made. */
  remove: endpoint('member', noInputSchema, v.undefined(), {
    status: 204,
    limits: [{ max: 10, by: 'account' }],
  }),
  /**
   * The member must have confirmed their identity in this session, except for the rest of a download that
   * this session has begun (`Range` with `If-Range`).
   */
  archive: endpoint('member', noInputSchema, v.undefined(), {
    download: 'application/zip',
    errorStatuses: [404, 423],
  }),
}
