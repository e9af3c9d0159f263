import { type ReactNode, useState } from 'react'
import { codePointLength } from '#core/contract.ts'
import { texts, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'

const passwordText = texts({
  en: {
    show: 'Show',
    empty:
      'At least 8 characters. A few words that do not belong together are easy to remember and hard to guess.',
    short: (missing: number) => `At least 8 characters: ${missing} to go.`,
    plain: 'Easy to guess: use more different characters.',
    fair: 'Long enough. A longer one is harder to guess.',
    good: 'Hard to guess, unless it is in use elsewhere or known about you.',
  },
  ja: {
    show: '表示',
    empty: '8文字以上。関係のない単語をいくつか並べると、覚えやすく推測されにくくなります。',
    short: (missing: number) => `8文字以上。あと${missing}文字です。`,
    plain: '推測されやすいパスワードです。もっといろいろな文字を使ってください。',
    fair: '長さは足りています。長いほど推測されにくくなります。',
    good: '推測されにくいパスワードです。ほかのサービスと同じものや、自分に関することは避けてください。',
  },
})

const LEAST = 8
const GOOD = 14
/** With fewer different characters a password is a pattern, such as 12121212. */
const DIFFERENT = 5

/** How hard a password is to guess, as far as its length and its characters tell. */
function strengthOf(password: string) {
  if (!password) return 'empty'
  if (codePointLength(password) < LEAST) return 'short'
  if (new Set(password).size < DIFFERENT || /^\d+$/.test(password)) return 'plain'
  return codePointLength(password) < GOOD ? 'fair' : 'good'
}

/** The input for a new password: it can be shown, and its hint says how hard it is to guess. */
export function NewPasswordField({ label, error }: { label: string; error: ReactNode }) {
  const t = useText(passwordText)
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const strength = strengthOf(password)
  return (
    <Field
      label={label}
      hint={
        <span role="status">
          {strength === 'short' ? t.short(LEAST - codePointLength(password)) : t[strength]}
        </span>
      }
      error={error}
      name="password"
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      autoCapitalize="none"
      spellCheck={false}
      onInput={(event) => setPassword(event.currentTarget.value)}
      beside={
        <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {t.show}
        </Button>
      }
    />
  )
}
