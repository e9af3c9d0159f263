/** Lines of `endpointTable` about roll calls and telephone numbers. */
export const rollCallRows = `rollCalls.list                         -              401      200      200      200      200      -
rollCalls.scopes                       -              401      200      200      200      200      -
rollCalls.start                        -              401      403      403      403      201      -
rollCalls.show                         roll-call      401      200      200      200      200      404
rollCalls.answer                       roll-call      401      200      200      200      200      404
rollCalls.board                        roll-call      401      404      404      404      200      404
rollCalls.members                      roll-call      401      404      404      404      200      404
rollCalls.end                          roll-call      401      404      404      404      200      404
rollCalls.report                       roll-call      401      404      404      404      200      404
rollCalls.numbers                      -              401      403      403      403      200      -
rollCalls.page                         roll-call      200      200      200      200      200      200
rollCalls.confirm                      roll-call      200      200      200      200      200      200
phones.own                             -              401      200      200      200      200      -
phones.save                            -              401      200      200      200      200      -
phones.of                              person         401      200      200      200      200      404
`
