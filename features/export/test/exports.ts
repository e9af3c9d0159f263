import { expect } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import type { TestClient } from '#tests/harness.ts'
import { readZip } from '#tests/zip.ts'

export const exportState = async (client: TestClient) => (await client.get('/api/account/export')).body.export

export const exportReady = (client: TestClient) =>
  eventually(async () => expect(await exportState(client)).toMatchObject({ state: 'ready' }))

/**
 * Requests an export of the member's data, waits until it is ready, and downloads it. Returns the headers,
 * the bytes and the files of the archive.
 */
export async function makeExport(
  client: TestClient,
  input: object = {},
  headers: Record<string, string> = {},
) {
  expect((await client.send('POST', '/api/account/export', input, headers)).status).toBe(200)
  await exportReady(client)
  const answer = await client.get('/api/account/export/archive')
  expect(answer.status).toBe(200)
  return { headers: answer.headers, raw: answer.raw, files: readZip(answer.raw) }
}

export const jsonOfExport = (files: Map<string, Buffer>, path: string) =>
  JSON.parse(files.get(path)!.toString())
