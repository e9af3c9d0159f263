import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { useLang } from '#web/i18n.ts'
import { pressed } from '#web/keyboard.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'

interface SearchBoxProps {
  label: string
  text: string
  onText: (text: string) => void
  autoFocus?: boolean
  /** Default: 255. */
  maxLength?: number
  /** Of what says more about the box. */
  describedBy?: string | undefined
  onKey?: (event: KeyboardEvent<HTMLInputElement>) => void
}

export function SearchBox({ label, text, onText, autoFocus, maxLength = 255, ...rest }: SearchBoxProps) {
  const lang = useLang()
  const ref = useRef<HTMLInputElement>(null)
  const clear = () => {
    onText('')
    ref.current?.focus()
  }
  // Enter must not submit a form around it.
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (pressed(event) === 'Enter') event.preventDefault()
    rest.onKey?.(event)
  }
  return (
    <search className="search">
      <Icon icon={Search} />
      <input
        ref={ref}
        className="input"
        type="search"
        // biome-ignore lint/a11y/noAutofocus: used only where the reader has asked for the box
        autoFocus={autoFocus}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        placeholder={label}
        aria-label={label}
        aria-describedby={rest.describedBy}
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => onText(event.target.value)}
      />
      {text && (
        <Button kind="ghost" iconOnly icon={X} label={lang === 'ja' ? 'クリア' : 'Clear'} onClick={clear} />
      )}
    </search>
  )
}
