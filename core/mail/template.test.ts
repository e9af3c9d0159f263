import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { computeContrast, MIN_TEXT_CONTRAST } from '#core/community/accent-colour.ts'
import { renderMail } from './template.ts'

test('a mail gives its link to its receiver, and not to the log', () => {
  const mail = renderMail({
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

const createMailWithColour = (accent_colour: string | null) =>
  renderMail({
    lang: 'en',
    site: { name: 'Engawa', accent_colour },
    to: 'ann@engawa.example',
    name: 'Ann',
    subject: 'Set a new password',
    paragraphs: ['Somebody has asked for a new password.'],
    button: { label: 'Set', link: 'https://town.example/x' },
  })

/** Returns the colours of the button, the link, the card, the page and the text in a theme of a mail. */
function readMailColours(html: string, theme: 'light' | 'dark') {
  const read = (name: string, property: string) => {
    const inStyle = new RegExp(`class="${name}"[^>]*style="(?:[^"]*;)?${property}:(#[0-9a-f]{6})`)
    const inSheet = new RegExp(`\\.${name}\\{(?:[^}]*;)?${property}:(#[0-9a-f]{6})!important`)
    return (theme === 'light' ? inStyle : inSheet).exec(html)?.[1] ?? expect.unreachable(`${theme} ${name}`)
  }
  return {
    button: read('button', 'background'),
    onButton: read('button', 'color'),
    link: read('link', 'color'),
    card: read('card', 'background'),
    page: read('page', 'background'),
    text: read('page', 'color'),
  }
}

test.each([null, '#ffff00', '#000000', '#ffffff', '#c0392b', '#3a5f8b', '#7f7f7f'])(
  'the button and the link of a mail with the colour %s can be read in both themes',
  (colour) => {
    const { html, text } = createMailWithColour(colour)
    expect(text).toBe(createMailWithColour(null).text)
    for (const theme of ['light', 'dark'] as const) {
      const { button, onButton, link, card, page, text: ink } = readMailColours(html, theme)
      expect(computeContrast(button, onButton), theme).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST)
      expect(computeContrast(link, card), theme).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST)
      expect(computeContrast(ink, card), theme).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST)
      expect(computeContrast(button, card), theme).toBeGreaterThanOrEqual(3)
      expect(link).toBe(button)
      expect(button !== readMailColours(createMailWithColour(null).html, theme).button).toBe(colour !== null)
      const tokens = readFileSync('web/ui/tokens.css', 'utf8')
      for (const standard of [card, page, ink]) expect(tokens).toContain(standard)
    }
  },
)
