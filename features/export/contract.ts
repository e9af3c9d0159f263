import * as v from 'valibot'
import {
  createOptionalTextSchema,
  defineEndpoint,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'

export const dataExportStatusSchema = v.object({
  /**
   * The state of the export. It is `waiting` before the first attempt, and `running` from then on, also
   * between a failed attempt and the next one.
   */
  state: v.picklist(['waiting', 'running', 'ready', 'failed']),
  /** From 0 to 1. */
  progress: v.number(),
  /** The size of the archive in bytes; null until the archive is ready. */
  bytes: v.nullable(v.number()),
  created_at: isoTimestampSchema,
  /**
   * The time at which the archive will be deleted, or a failure is no longer shown. Null until the archive
   * is ready or has failed.
   */
  expires_at: v.nullable(isoTimestampSchema),
})
export type DataExportStatus = v.InferOutput<typeof dataExportStatusSchema>
const ExportRequest = v.object({
  /**
   * The time zone of the pages, as the browser names it, such as `Asia/Tokyo`. If it is missing or unknown,
   * the pages show times in the time zone of the community, or in UTC if the community has none.
   */
  time_zone: createOptionalTextSchema(64),
})
const ExportAnswer = v.object({ export: v.nullable(dataExportStatusSchema) })

export const dataExportEndpoints = {
  /** Returns the state of the member's archive, or null if there is none. */
  state: defineEndpoint('GET /api/account/export', 'member', noInputSchema, ExportAnswer),
  /**
   * Requests a new archive, which replaces a finished one. If an archive is being made already, only returns
   * its state.
   */
  request: defineEndpoint('POST /api/account/export', 'member', ExportRequest, ExportAnswer, {
    limits: [{ max: 10, by: 'account' }],
    needsConfirmation: true,
  }),
  /** Deletes the archive, or cancels it while it is being made. */
  remove: defineEndpoint('DELETE /api/account/export', 'member', noInputSchema, v.undefined(), {
    status: 204,
    limits: [{ max: 10, by: 'account' }],
  }),
  /**
   * Downloads the archive. The session must be confirmed, except for the rest of a download that this session
   * has begun (`Range` with `If-Range`).
   */
  archive: defineEndpoint('GET /api/account/export/archive', 'member', noInputSchema, v.undefined(), {
    download: 'application/zip',
    errorStatuses: [404, 423],
  }),
}
