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
}

export function SearchBox({ label, text, onText, autoFocus }: SearchBoxProps) {
  const lang = useLang()
  const ref = useRef<HTMLInputElement>(null)
  const clear = () => {
    onText('')
    ref.current?.focus()
  }
  // Enter must not submit a form around it.
  const onKeyDown = (event: KeyboardEvent) => pressed(event) === 'Enter' && event.preventDefault()
  return (
    <search className="search">
      <Icon icon={Search} />
      <input
        ref={ref}
        className="input"
        type="search"
        // biome-ignore lint/a11y/noAutofocus: used only after the keyboard shortcut for searching
        autoFocus={autoFocus}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        placeholder={label}
        aria-label={label}
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
