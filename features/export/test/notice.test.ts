import { describe, expect, test } from 'vitest'
import * as credentials from '#features/people/credentials.ts'
import { appWithMailServer } from '#tests/app-with-mail-server.ts'
import { dialectsInTurn } from '#tests/harness.ts'
import { makeExport } from './exports.ts'

const wordsByLanguage = {
  en: {
    subject: 'Your data from Engawa is ready',
    greeting: 'Hello Ann,',
    sentence: 'The archive of your data is ready.',
    button: 'Download',
    mistake: 'If you did not ask for it, delete the archive, change your password at once',
  },
  ja: {
    subject: '【Engawa】データの控えができました',
    greeting: 'Annさん',
    sentence: 'あなたのデータの控えができました。',
    button: 'ダウンロードする',
    mistake: 'お心当たりがない場合は、データの控えを削除し、',
  },
}

describe.each(dialectsInTurn())('the mail that an archive is ready on %s', (dialect) => {
  const open = () => appWithMailServer(dialect)

  test.each(['en', 'ja'] as const)('goes once to a verified address, in %s', async (lang) => {
    const { context, Ann, readNotices } = await open()
    await credentials.markVerified(context, Ann.id)
    await makeExport(Ann, {}, { 'accept-language': lang })
    const [mail, ...others] = await readNotices()
    expect(others).toEqual([])
    const { subject, greeting, sentence, button, mistake } = wordsByLanguage[lang]
    expect(mail).toMatchObject({ subject, to: [{ name: '', address: 'ann@engawa.example' }] })
    for (const part of [mail!.text, mail!.html])
      for (const words of [greeting, sentence, mistake, 'https://town.example/account'])
        expect(part).toContain(words)
    expect(mail!.html).toMatch(new RegExp(`<a [^>]*href="https://town\\.example/account"[^>]*>${button}</a>`))
    expect(mail!.html).toContain(`<html lang="${lang}">`)
    expect(mail!.attachments).toEqual([])
  })

  test('does not go to an address that is not verified, because it may be a stranger’s', async () => {
    const { Ann, readNotices } = await open()
    await makeExport(Ann)
    expect(await readNotices()).toEqual([])
  })
})
