import { type ReactNode, useState } from 'react'
import { countCodePoints, normalizePassword } from '#core/text/unicode.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'

const passwordText = defineTexts({
  en: {
    show: 'Show',
    empty: 'At least 8 characters. A few unrelated words are easy to remember and hard to guess.',
    short: (missing: number) => `At least 8 characters: ${missing} more needed.`,
    plain: 'Easy to guess: use more different characters.',
    fair: 'Long enough. A longer one is harder to guess.',
    good: 'Hard to guess. Do not use it for other services, and avoid facts about yourself.',
  },
  ja: {
    show: '表示',
    empty:
      '8文字以上で決めてください。関係のない言葉をいくつか並べると、覚えやすく、推測されにくくなります。',
    short: (missing: number) => `あと${missing}文字必要です（8文字以上）。`,
    plain: '推測されやすいパスワードです。数字や記号など、ほかの文字も混ぜてください。',
    fair: '長さは足りています。長いほど推測されにくくなります。',
    good: '推測されにくいパスワードです。ほかのサービスと同じものや、自分に関することは避けてください。',
  },
})

const MIN_LENGTH = 8
const GOOD_LENGTH = 14
/** Different characters: 12121212 is easy to guess. */
const MIN_DIFFERENT = 5

/** From its length and its characters only. */
function estimateStrength(password: string) {
  if (!password) return 'empty'
  if (countCodePoints(password) < MIN_LENGTH) return 'short'
  if (new Set(password).size < MIN_DIFFERENT || /^\d+$/.test(password)) return 'plain'
  return countCodePoints(password) < GOOD_LENGTH ? 'fair' : 'good'
}

export function NewPasswordField({ label, error }: { label: string; error: ReactNode }) {
  const t = useText(passwordText)
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const strength = estimateStrength(password)
  return (
    <Field
      label={label}
      hint={
        <span role="status">
          {strength === 'short' ? t.short(MIN_LENGTH - countCodePoints(password)) : t[strength]}
        </span>
      }
      error={error}
      name="password"
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      autoCapitalize="none"
      spellCheck={false}
      onInput={(event) => setPassword(normalizePassword(event.currentTarget.value))}
      endElement={
        <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {t.show}
        </Button>
      }
    />
  )
}
