import { expect } from 'vitest'
import { formData, type TestClient } from '#tests/harness.ts'
import { blackPng, uploadFile } from '#tests/pictures.ts'
import type { AttachedFile, Post } from '../contract.ts'

export const pdf = (name = 'letter.pdf', more = '') =>
  uploadFile(`%PDF-1.7\n1 0 obj\n${more}`, name, 'text/html')
export const firstPage = () => uploadFile(blackPng(70, 99), 'page.png')

export interface Attached {
  files?: readonly File[]
  previews?: readonly File[]
  images?: readonly File[]
}

const formOf = (
  { files = [], previews = [], images = [] }: Attached,
  preview_of: readonly number[],
  fields: Record<string, string>,
) => {
  const form = formData(fields, { 'files[]': files, 'previews[]': previews, 'images[]': images })
  for (const number of preview_of) form.append('preview_of[]', String(number))
  return form
}

/** `preview_of` has the number of the PDF of each preview. */
export const sendTo = (
  who: TestClient,
  path: string,
  attached: Attached,
  preview_of: readonly number[] = [],
  fields: Record<string, string> = {},
) => who.post(path, formOf(attached, preview_of, fields))

export type PostWithFiles = Post & { files: AttachedFile[] }

/** A post with one PDF, whose first page is drawn. */
export async function postCircular(
  who: TestClient,
  fields: Record<string, string> = {},
): Promise<PostWithFiles> {
  const attached = { files: [pdf('回覧板.pdf')], previews: [firstPage()] }
  const { status, body } = await sendTo(who, '/api/posts', attached, [1], { text: 'Please read', ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.post
}

/** The addresses of the files and of their first pages. */
export const addressesOf = ({ files = [] }: { files?: readonly AttachedFile[] }) =>
  files.flatMap(({ path, preview }) => [path, ...(preview ? [preview.path, preview.full] : [])])

/** The status of each address for each reader: one number if all addresses have the same. */
export async function statusesOf(addresses: readonly string[], ...readers: readonly TestClient[]) {
  const found = []
  for (const reader of readers) {
    const statuses = new Set<number>()
    for (const address of addresses) statuses.add((await reader.get(address)).status)
    found.push(statuses.size === 1 ? [...statuses][0] : [...statuses])
  }
  return found
}
