import { type ChangeEvent, type ReactNode, type Ref, useEffect, useId, useState } from 'react'
import { Icon, type LucideIcon } from './Icon.tsx'

interface Props {
  ref?: Ref<HTMLInputElement>
  /** For screen readers. */
  label: string
  /** The id of an HTML element. */
  describedBy?: string
  /** `ghost icon-only` shows the label as a tooltip. */
  kind: 'ghost' | 'primary' | 'secondary' | 'ghost icon-only'
  icon: LucideIcon
  multiple?: boolean
  disabled?: boolean
  onPick: (files: readonly File[]) => void
  children?: ReactNode
}

export function PicturePicker(props: Props) {
  const { ref, label, describedBy, kind, icon, multiple, disabled, onPick, children } = props
  const id = useId()
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // Choosing the same file again would otherwise fire no event.
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

/** An empty string without a file, and in the first render. */
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
