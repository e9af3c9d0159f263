import { type ChangeEvent, type ReactNode, type Ref, useEffect, useId, useState } from 'react'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'

interface PicturePickerProps {
  ref?: Ref<HTMLInputElement>
  /** The name for screen readers. */
  label: string
  /** The id of a text that says more. */
  describedBy?: string
  /** `bare only` shows the icon, with the label as a tooltip. */
  kind: 'bare' | 'quiet' | 'bare only'
  icon: LucideIcon
  multiple?: boolean
  disabled?: boolean
  onPick: (files: readonly File[]) => void
  children?: ReactNode
}

/** A button that lets the browser ask for pictures of the device. */
export function PicturePicker(props: PicturePickerProps) {
  const { ref, label, describedBy, kind, icon, multiple, disabled, onPick, children } = props
  const id = useId()
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // Without this, choosing the same file again would send no event.
    target.value = ''
    if (files.length) onPick(files)
  }
  return (
    <>
      <input
        ref={ref}
        id={id}
        className="hide"
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
        title={kind === 'bare only' ? label : undefined}
        aria-disabled={disabled || undefined}
      >
        <Icon of={icon} />
        {children}
      </label>
    </>
  )
}

/** An address that shows a file of the device. Empty where there is no file, and until the first effect. */
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
