import { type FormEvent, useState } from 'react'
import { MAX_OFFERED_REACTION_EMOJI, MIN_OFFERED_REACTION_EMOJI } from '#core/community-settings-contract.ts'
import { addEmojiVariationSelector, isSingleEmoji } from '#core/unicode.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { useCommunitySetting } from './useCommunitySetting.ts'

const text = defineTexts({
  en: {
    label: 'Emoji for reactions',
    hint: (min: number, max: number) =>
      `${min} to ${max} emoji, in the order of the buttons. Members can add them to posts, replies and messages. Reactions that exist stay.`,
    save: 'Save emoji',
    wrongCount: (min: number, max: number, count: number) =>
      `The field “Emoji for reactions” needs ${min} to ${max} emoji; it has ${count}.`,
    noEmoji: (wrong: string) => `The field “Emoji for reactions” has “${wrong}”, which is not an emoji.`,
    twice: (emoji: string) => `The field “Emoji for reactions” has ${emoji} twice.`,
  },
  ja: {
    label: 'リアクションの絵文字',
    hint: (min: number, max: number) =>
      `${min}〜${max}個。この順番でボタンが並びます。投稿、返信、メッセージに付けられます。すでに付いたリアクションは残ります。`,
    save: '絵文字を保存する',
    wrongCount: (min: number, max: number, count: number) =>
      `「リアクションの絵文字」は${min}〜${max}個にしてください（今は${count}個）。`,
    noEmoji: (wrong: string) => `「リアクションの絵文字」の「${wrong}」は絵文字ではありません。`,
    twice: (emoji: string) => `「リアクションの絵文字」に${emoji}が2回あります。`,
  },
})

/**
 * Splits the typed text into visible characters, such as emoji. Leaves out spaces and commas between them.
 */
const splitCharacters = (written: string) =>
  [...new Intl.Segmenter().segment(written.replace(/[\s,、，]+/g, ' '))]
    .map(({ segment }) => segment)
    .filter((segment) => segment !== ' ')
    .map(addEmojiVariationSelector)

/** Renders the setting for the emoji with which members react. */
export function ReactionEmojiSetting({ saved }: { saved: readonly string[] }) {
  const t = useText(text)
  const [typed, setTyped] = useState(saved.join(' '))
  const [error, setError] = useState<string>()
  const [shown, save, dialog] = useCommunitySetting('reaction_emoji', saved)
  const emoji = splitCharacters(typed)
  const findError = () => {
    const wrong = emoji.find((character) => !isSingleEmoji(character))
    const repeated = emoji.find((character, index) => emoji.indexOf(character) < index)
    if (wrong) return t.noEmoji(wrong)
    if (repeated) return t.twice(repeated)
    const isCountRight =
      emoji.length >= MIN_OFFERED_REACTION_EMOJI && emoji.length <= MAX_OFFERED_REACTION_EMOJI
    return isCountRight
      ? undefined
      : t.wrongCount(MIN_OFFERED_REACTION_EMOJI, MAX_OFFERED_REACTION_EMOJI, emoji.length)
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
        hint={t.hint(MIN_OFFERED_REACTION_EMOJI, MAX_OFFERED_REACTION_EMOJI)}
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
