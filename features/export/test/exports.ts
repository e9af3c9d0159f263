import { expect } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import type { TestClient } from '#tests/harness.ts'
import { readFilesOfZipArchive } from '#tests/zip.ts'

export const readDataExportStateAndProgressAsTestClient = async (client: TestClient) =>
  (await client.get('/api/account/export')).body.export

export const waitUntilTestDataExportIsReady = (client: TestClient) =>
  eventually(async () =>
    expect(await readDataExportStateAndProgressAsTestClient(client)).toMatchObject({ state: 'ready' }),
  )

/**
 * Requests an export of the member's data, waits until it is ready, and downloads it. Returns the headers,
 * the bytes and the files of the archive.
 */
export async function makeDownloadAndUnzipTestDataExport(
  client: TestClient,
  input: object = {},
  headers: Record<string, string> = {},
) {
  expect((await client.send('POST', '/api/account/export', input, headers)).status).toBe(200)
  await waitUntilTestDataExportIsReady(client)
  const answer = await client.get('/api/account/export/archive')
  expect(answer.status).toBe(200)
  return { headers: answer.headers, raw: answer.raw, files: readFilesOfZipArchive(answer.raw) }
}

export const parseJsonFileOfTestDataExport = (files: Map<string, Buffer>, path: string) =>
  JSON.parse(files.get(path)!.toString())
