import { Plus } from 'lucide-react'
import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { pressed } from '#web/keyboard.ts'
import { Button } from '#web/ui/Button.tsx'
import { MAX_OPTION_LENGTH, MAX_OPTIONS, pollEndpoints } from '../contract.ts'
import type { PollProps } from './poll-props.ts'
import { pollText } from './text.ts'
import { usePollChange } from './usePollChange.ts'

export function AddChoice({ poll, onChange }: Omit<PollProps, 'isOpen'>) {
  const { id, options } = poll
  const t = useText(pollText)
  const { change, isPending } = usePollChange({ poll, onChange })
  const [text, setText] = useState<string | null>(null)
  if (options.length >= MAX_OPTIONS) return null
  if (text === null)
    return (
      <Button kind="ghost" icon={Plus} className="add-choice" onClick={() => setText('')}>
        {t.addChoice}
      </Button>
    )
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    const written = text.trim()
    if (written && (await change(() => callEndpoint(pollEndpoints.addOption, { id, text: written }))))
      setText(null)
  }
  return (
    <form className="input-and-button" onSubmit={submit}>
      <input
        className="input"
        // biome-ignore lint/a11y/noAutofocus: the member has just asked for this field
        autoFocus
        aria-label={t.addChoice}
        value={text}
        maxLength={MAX_OPTION_LENGTH}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => pressed(event) === 'Escape' && setText(null)}
      />
      <Button type="submit" kind="primary" pending={isPending} disabled={!text.trim()}>
        {t.add}
      </Button>
    </form>
  )
}
