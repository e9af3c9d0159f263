import { expect, test } from 'vitest'
import { createMail } from './template.ts'

test('a mail gives its link to its receiver, and not to the log', () => {
  const mail = createMail({
    lang: 'en',
    site: { name: 'Engawa', accent_colour: null },
    to: 'ann@engawa.example',
    name: 'Ann',
    subject: 'Set a new password',
    paragraphs: ['Somebody has asked for a new password.'],
    button: { label: 'Set', link: 'https://town.example/reset-password#secret' },
  })
  for (const part of [mail.text, mail.html]) expect(part).toContain('#secret')
  // The mail must have no field `link`, because the server would log it where mails are stored as files.
  expect(mail).not.toHaveProperty('link')
})
