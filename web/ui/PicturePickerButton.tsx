import { type ChangeEvent, type ReactNode, type Ref, useEffect, useId, useState } from 'react'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'

interface PicturePickerProps {
  ref?: Ref<HTMLInputElement>
  /** The name of the picker button for screen readers. */
  label: string
  /** The id of an HTML element that describes the button to screen readers. */
  describedBy?: string
  /** The look of the button. `ghost icon-only` shows only the icon, with the label as a tooltip. */
  kind: 'ghost' | 'secondary' | 'ghost icon-only'
  icon: LucideIcon
  multiple?: boolean
  disabled?: boolean
  onPick: (files: readonly File[]) => void
  children?: ReactNode
}

/** Renders a button that opens the browser's file picker for pictures. */
export function PicturePickerButton(props: PicturePickerProps) {
  const { ref, label, describedBy, kind, icon, multiple, disabled, onPick, children } = props
  const id = useId()
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // Empties the file input, because choosing the same file again would otherwise fire no event.
    target.value = ''
    if (files.length) onPick(files)
  }
  return (
    <>
      <input
        ref={ref}
        id={id}
        className="visually-hidden"
        type="file"
        accept="image/*"
        multiple={multiple}
        aria-label={label}
        aria-describedby={describedBy}
        disabled={disabled}
        onChange={pick}
      />
      <label
        className={`button ${kind}`}
        htmlFor={id}
        title={kind === 'ghost icon-only' ? label : undefined}
        aria-disabled={disabled || undefined}
      >
        <Icon icon={icon} />
        {children}
      </label>
    </>
  )
}

/** Returns an object URL of a file, or an empty string if there is no file, and in the first render. */
export function useObjectUrl(file: Blob | undefined) {
  const [url, setUrl] = useState('')
  useEffect(() => {
    if (!file) return
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => {
      setUrl('')
      URL.revokeObjectURL(created)
    }
  }, [file])
  return url
}
