import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useFieldSizing } from '#web/field-sizing.ts'
import { Icon } from '#web/ui/Icon.tsx'

interface FieldParts {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
}
interface FieldProps extends FieldParts, Omit<ComponentProps<'input'>, 'id' | 'className'> {
  /** Stands in the line of the input, such as a button. */
  beside?: ReactNode
}
type TextAreaProps = FieldParts & Omit<ComponentProps<'textarea'>, 'id' | 'className'>

function Frame({ id, label, hint, error, children }: FieldParts & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {error ? (
        <span className="wrong" id={`${id}-about`}>
          <Icon of={CircleAlert} size="s" />
          <span>{error}</span>
        </span>
      ) : (
        hint && (
          <span className="hint" id={`${id}-about`}>
            {hint}
          </span>
        )
      )}
    </div>
  )
}

const describe = (id: string, { hint, error }: Pick<FieldParts, 'hint' | 'error'>) => ({
  id,
  className: 'input',
  'aria-invalid': error ? true : undefined,
  'aria-describedby': hint || error ? `${id}-about` : undefined,
})

/**
 * Hides the error after the reader has changed the field. Each try begins without an error, so the next one
 * shows again, also where it has the same words.
 */
function useErrorUntilEdited(given: ReactNode) {
  const [isEdited, setEdited] = useState(false)
  if (!given && isEdited) setEdited(false)
  return { error: isEdited ? undefined : given, edited: () => setEdited(Boolean(given)) }
}

export function Field({ label, hint, error: given, beside, onInput, ...rest }: FieldProps) {
  const id = useId()
  const { error, edited } = useErrorUntilEdited(given)
  const input = (
    <input
      {...rest}
      {...describe(id, { hint, error })}
      onInput={(event: FormEvent<HTMLInputElement>) => {
        edited()
        onInput?.(event as Parameters<typeof onInput>[0])
      }}
    />
  )
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      {beside ? (
        <span className="beside">
          {input}
          {beside}
        </span>
      ) : (
        input
      )}
    </Frame>
  )
}

export function TextArea({ label, hint, error: given, ...rest }: TextAreaProps) {
  const id = useId()
  const { error, edited } = useErrorUntilEdited(given)
  const field = useRef<HTMLTextAreaElement>(null)
  useFieldSizing(field, rest.value)
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea ref={field} {...rest} {...describe(id, { hint, error })} onInput={edited} />
    </Frame>
  )
}
