import { expect, vi } from 'vitest'
import type { TestClient } from '#tests/harness.ts'
import { readZip } from '#tests/zip.ts'

export const exportWaitOptions = { timeout: 30_000, interval: 20 }

export const readExportState = async (client: TestClient) =>
  (await client.get('/api/account/export')).body.export

export const waitUntilExportReady = (client: TestClient) =>
  vi.waitFor(
    async () => expect(await readExportState(client)).toMatchObject({ state: 'ready' }),
    exportWaitOptions,
  )

/** Requests an export, waits until it is ready, and downloads it. */
export async function makeAndDownloadExport(
  client: TestClient,
  input: object = {},
  headers: Record<string, string> = {},
) {
  expect((await client.send('POST', '/api/account/export', input, headers)).status).toBe(200)
  await waitUntilExportReady(client)
  const answer = await client.get('/api/account/export/archive')
  expect(answer.status).toBe(200)
  return { headers: answer.headers, raw: answer.raw, files: readZip(answer.raw) }
}

export const parseArchivedJson = (files: Map<string, Buffer>, path: string) =>
  JSON.parse(files.get(path)!.toString())
