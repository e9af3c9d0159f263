import { expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { conversationScene } from '#tests/conversations.ts'
import { formData } from '#tests/harness.ts'
import { uploadFile } from '#tests/pictures.ts'
import { makeExport } from './exports.ts'

test('files with names that were stored before names had bounds can be unpacked', async () => {
  const { ann, sendPath, target, targetId, db } = await conversationScene('sqlite', 'private')
  const files = ['a', 'b'].map((name) => uploadFile(name, `${name}.txt`))
  await ann.post(sendPath, formData({ [target]: String(targetId(ann)) }, { 'files[]': files }))
  for (const [from, file_name] of [
    ['a.txt', `${'縁'.repeat(140)}.txt`],
    ['b.txt', 'CON.txt'],
  ] as const)
    await transaction(db, (tx) =>
      tx.updateTable('media').set({ file_name }).where('file_name', '=', from).execute(),
    )
  const archive = await makeExport(ann)
  const names = [...archive.files.keys()].filter((path) => path.startsWith('files/'))
  expect(names.map((path) => path.split('/').at(-1)).toSorted()).toEqual([
    '_CON.txt',
    `${'縁'.repeat(83)}.txt`,
  ])
})
