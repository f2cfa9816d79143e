/** `ssl/cache` of the SDK: nobody keeps a session, so no handshake is ever cut short by what was agreed on earlier. */
export default undefined;
