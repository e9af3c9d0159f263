import * as v from 'valibot'
import { defineEndpoint, noInputSchema, timestampSchema } from '#core/contract.ts'

export const DataExport = v.object({
  /** `waiting` until a server begins, and after a failed attempt until the next one. */
  state: v.picklist(['waiting', 'running', 'ready', 'failed']),
  /** From 0 to 1. */
  progress: v.number(),
  /** The size of the archive; null until it is ready. */
  bytes: v.nullable(v.number()),
  created_at: timestampSchema,
  /** When the archive is deleted; null until it is ready. */
  expires_at: v.nullable(timestampSchema),
})
export type DataExport = v.InferOutput<typeof DataExport>
const ExportAnswer = v.object({ export: v.nullable(DataExport) })

export const exportEndpoints = {
  /** The member's archive, or null if there is none. */
  state: defineEndpoint('GET /api/account/export', 'member', noInputSchema, ExportAnswer),
  /** Starts a new archive, which replaces a finished one. If one is being made, returns its state. */
  request: defineEndpoint('POST /api/account/export', 'member', noInputSchema, ExportAnswer, {
    limits: [{ max: 10, by: 'account' }],
    errorStatuses: [423],
  }),
  /** Deletes the archive, or stops making it. */
  remove: defineEndpoint('DELETE /api/account/export', 'member', noInputSchema, v.undefined(), {
    status: 204,
    limits: [{ max: 10, by: 'account' }],
  }),
  archive: defineEndpoint('GET /api/account/export/archive', 'member', noInputSchema, v.undefined(), {
    download: 'application/zip',
    errorStatuses: [404],
  }),
}
