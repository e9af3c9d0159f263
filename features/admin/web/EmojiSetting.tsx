import { type FormEvent, useState } from 'react'
import { MAX_EMOJI, MIN_EMOJI } from '#core/community/settings-contract.ts'
import { asEmoji, isSingleEmoji } from '#core/text/unicode.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { emojiText } from './settings-text.ts'
import { useSetting } from './useSetting.ts'

/** Leaves out spaces and commas. */
const splitCharacters = (written: string) =>
  [...new Intl.Segmenter().segment(written.replace(/[\s,、，]+/g, ' '))]
    .map(({ segment }) => segment)
    .filter((segment) => segment !== ' ')
    .map(asEmoji)

export function EmojiSetting({ saved }: { saved: readonly string[] }) {
  const t = useText(emojiText)
  const [typed, setTyped] = useState(saved.join(' '))
  const [error, setError] = useState<string>()
  const [shown, save, dialog] = useSetting('reaction_emoji', saved)
  const emoji = splitCharacters(typed)
  const findError = () => {
    const wrong = emoji.find((character) => !isSingleEmoji(character))
    const repeated = emoji.find((character, index) => emoji.indexOf(character) < index)
    if (wrong) return t.noEmoji(wrong)
    if (repeated) return t.twice(repeated)
    const isCountRight = emoji.length >= MIN_EMOJI && emoji.length <= MAX_EMOJI
    return isCountRight ? undefined : t.wrongCount(MIN_EMOJI, MAX_EMOJI, emoji.length)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = findError()
    setError(found)
    if (!found) save(emoji)
  }
  return (
    <form className="card setting" onSubmit={submit} noValidate>
      <Field
        label={t.label}
        hint={t.hint(MIN_EMOJI, MAX_EMOJI)}
        error={error}
        value={typed}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value)
          setError(undefined)
        }}
      />
      <div className="form-actions">
        <Button type="submit" disabled={emoji.join() === shown.join()}>
          {t.save}
        </Button>
      </div>
      {dialog}
    </form>
  )
}
