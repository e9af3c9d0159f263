import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { exampleEndpoints } from '../contract.ts'
import { exampleText } from './settings-text.ts'

const queryKey = [exampleEndpoints.show.path]

export function ExampleSetting() {
  const t = useText(exampleText)
  const explain = useErrorText()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: () => callEndpoint(exampleEndpoints.show, {}),
  })
  const { mutate, isPending } = useMutation({
    mutationFn: (isRemoval: boolean) =>
      run(() => callEndpoint(isRemoval ? exampleEndpoints.remove : exampleEndpoints.create, {})),
    onSuccess(state) {
      // Lists of people, posts and chats were fetched before the examples came or went.
      void client.invalidateQueries()
      client.setQueryData(queryKey, state)
      showToast(state.exist ? t.created : t.removed)
    },
    onError(failure) {
      if (failure instanceof CancelledError) return
      void client.invalidateQueries({ queryKey })
      showToast(explain(failure), { kind: 'error' })
    },
  })
  return (
    <div className="card setting">
      {!data && error && <LoadErrorMessage plain error={error} pending={isFetching} onRetry={refetch} />}
      {!data && !error && <LoadingText />}
      {data && (
        <>
          <p className="text-soft">{data.exist ? t.exist : t.help}</p>
          <div className="form-actions">
            <Button pending={isPending} onClick={() => mutate(data.exist)}>
              {data.exist ? t.remove : t.fillIn}
            </Button>
          </div>
        </>
      )}
      {dialog}
    </div>
  )
}
