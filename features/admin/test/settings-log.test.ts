import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import { settingsSchema } from '#core/community/settings-schemas.ts'

vi.mock('#web/page-data.ts', () => ({ pageData: { lang: 'en', app: {} } }))
const { settingLines } = await import('../web/settings-log.ts')

test('the log shows settings and their values in the words of the settings page', () => {
  const settings = { who_can_join: 'approval', quiet_hours: null, max_member_storage_mb: 2000, mails: 3 }
  expect(settingLines('en', settings)).toEqual([
    'Who can join: People whom an admin approves',
    'Quiet hours: None',
    'Pictures of a member together: 2 GB',
    'Mails: 3',
  ])
  expect(settingLines('ja', settings)).toEqual([
    '参加できる人：管理者が承認した人',
    'おやすみ時間：なし',
    '1人が保存できる画像の合計：2GBまで',
    'メール：3件',
  ])
  expect(settingLines('ja', { quiet_hours: { from: '22:00', to: '07:00' } })).toEqual([
    'おやすみ時間：22:00–07:00',
  ])
})

test('the log has a label for each setting, and shows a setting of an old version as it was stored', () => {
  for (const name of Object.keys(settingsSchema.entries) as (keyof typeof settingsSchema.entries)[]) {
    const schema = settingsSchema.entries[name]
    const value = v.is(schema as never, null) ? null : name === 'reaction_emoji' ? ['👍'] : 'open'
    for (const lang of ['en', 'ja'] as const)
      expect(settingLines(lang, { [name]: value })[0], name).not.toContain(name)
  }
  expect(settingLines('en', { old_setting: true })).toEqual(['old_setting: true'])
})
