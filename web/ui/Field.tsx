import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useAutosize } from '#web/field-sizing.ts'
import { Icon } from '#web/ui/Icon.tsx'

interface FieldParts {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
}
interface FieldProps extends FieldParts, Omit<ComponentProps<'input'>, 'id' | 'className'> {
  endElement?: ReactNode
}
type TextAreaProps = FieldParts & Omit<ComponentProps<'textarea'>, 'id' | 'className'>

function FieldFrame({ id, label, hint, error, children }: FieldParts & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {error ? (
        <span className="field-error" id={`${id}-about`}>
          <Icon icon={CircleAlert} size="s" />
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

const ariaProps = (id: string, { hint, error }: Pick<FieldParts, 'hint' | 'error'>) => ({
  id,
  className: 'input',
  'aria-invalid': error ? true : undefined,
  'aria-describedby': hint || error ? `${id}-about` : undefined,
})

/** Each submit begins without an error, so that the next one is shown even if its text is the same. */
function useErrorUntilEdited(given: ReactNode) {
  const [isEdited, setEdited] = useState(false)
  if (!given && isEdited) setEdited(false)
  return { error: isEdited ? undefined : given, edited: () => setEdited(Boolean(given)) }
}

export function Field({ label, hint, error: given, endElement, onInput, ...rest }: FieldProps) {
  const id = useId()
  const { error, edited } = useErrorUntilEdited(given)
  const input = (
    <input
      {...ariaProps(id, { hint, error })}
      {...rest}
      onInput={(event: FormEvent<HTMLInputElement>) => {
        edited()
        onInput?.(event as Parameters<typeof onInput>[0])
      }}
    />
  )
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      {endElement ? (
        <span className="input-and-button">
          {input}
          {endElement}
        </span>
      ) : (
        input
      )}
    </FieldFrame>
  )
}

export function TextAreaField({ label, hint, error: given, ...rest }: TextAreaProps) {
  const id = useId()
  const { error, edited } = useErrorUntilEdited(given)
  const field = useRef<HTMLTextAreaElement>(null)
  useAutosize(field, rest.value)
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea ref={field} {...rest} {...ariaProps(id, { hint, error })} onInput={edited} />
    </FieldFrame>
  )
}
