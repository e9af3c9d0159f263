import { expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestAppWithConversation } from '#tests/conversations.ts'
import { createTestFormData } from '#tests/harness.ts'
import { createTestUploadFile } from '#tests/pictures.ts'
import { makeDownloadAndUnzipTestDataExport } from './exports.ts'

test('files with names that were stored before names had bounds can be unpacked', async () => {
  const { ann, sendPath, target, targetId, db } = await createTestAppWithConversation('sqlite', 'private')
  const files = ['a', 'b'].map((name) => createTestUploadFile(name, `${name}.txt`))
  await ann.post(sendPath, createTestFormData({ [target]: String(targetId(ann)) }, { 'files[]': files }))
  for (const [from, file_name] of [
    ['a.txt', `${'縁'.repeat(140)}.txt`],
    ['b.txt', 'CON.txt'],
  ] as const)
    await transaction(db, (tx) =>
      tx.updateTable('media').set({ file_name }).where('file_name', '=', from).execute(),
    )
  const archive = await makeDownloadAndUnzipTestDataExport(ann)
  const names = [...archive.files.keys()].filter((path) => path.startsWith('files/'))
  expect(names.map((path) => path.split('/').at(-1)).toSorted()).toEqual([
    '_CON.txt',
    `${'縁'.repeat(83)}.txt`,
  ])
})
