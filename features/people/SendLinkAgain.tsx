import { useMutation } from '@tanstack/react-query'
import { people } from '#features/people/contract.ts'
import { api } from '#web/api.ts'
import { useExplain } from '#web/failure.ts'
import { Button } from '#web/ui/Button.tsx'
import { Said } from '#web/ui/Said.tsx'

/** Asks for the verification mail once more, and says how that went. */
export function SendLinkAgain({ children, small }: { children: string; small?: boolean }) {
  const explain = useExplain()
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => api(people.sendVerification, {}) })
  if (data) return <Said kind="good">{data.message}</Said>
  return (
    <>
      {error && <Said kind="bad">{explain(error)}</Said>}
      <Button small={small} full={!small} pending={isPending} onClick={() => mutate()}>
        {children}
      </Button>
    </>
  )
}
