/* redact_program: the programs that take secrets in ways of their own. */
#include "collect/redact/redact_program.h"

#include <string.h>

const struct redact_program redact_programs[] = {
    /* The first row takes no secrets. Its programs are listed because the options after them are
     * their own, and not those of the program before, as in "curl … | ssh -p 22". */
    {.names =
         "ssh scp sftp rsync mosh docker podman nerdctl kubectl make mkdir tar cp java ps find "
         "git go cargo npm helm nice sudo doas top htop lsof gcc clang grep pytest"},
    {.names = "python python2 python3 pypy3 node deno bun perl ruby php Rscript julia lua",
     .interprets = true},
    {.names = "sh bash dash zsh ksh ash fish su runuser powershell pwsh cmd", .script = true},
    /* names of secrets */
    {.names = "gcloud docker podman buildah nerdctl",
     .refs = "secret secrets set-secrets update-secrets secret-add secret-rm from-secret"},
    {.names = "git", .refs = "signingkey"},
    {.names = "aws", .refs = "key", .hides = "secret-string string-value"},
    /* networks */
    {.names = "ab hey nikto wscat lynx siege", .user = "APau", .longs = "id auth pauth"},
    {.names = "gobuster ccrypt", .next = "PK", .glued = "PK", .hides = "key"},
    {.names = "networksetup", .verbs = "-setairportnetwork", .bare = 3},
    {.names = "etcdctl", .verbs = "add", .bare = 1},
    {.names = "ffuf wfuzz ab", .user = "bC", .separator = '='},
    {.names = "doctl ibmcloud oci openstack heroku", .hides = "access-token"},
    {.names = "supabase", .next = "p"},
    {.names = "cloudflared", .verbs = "install", .bare = 1},
    {.names = "chamber", .verbs = "write", .bare = 3},
    {.names = "kubeseal", .hides = "from-literal"},
    {.names = "hatch", .next = "a"},
    {.names = "anaconda drone", .next = "t"},
    {.names = "conda mamba", .verbs = "token", .bare = 2},
    {.names = "glab netlify vercel", .verbs = "set env:set", .bare = 2},
    {.names = "gitlab-runner", .next = "r"},
    {.names = "oathtool", .bare = 1},
    {.names = "kaggle", .verbs = "set", .next = "v"},
    {.names = "sc", .words = true},
    {.names = "pyega3", .next = "p"},
    {.names = "mosquitto_passwd", .bare = 3},
    {.names = "ntfy", .next = "k", .user = "u"},
    {.names = "twilio", .verbs = "login", .bare = 2},
    {.names = "mstsc winrs certutil cmdkey", .glued = "p", .next = "p"},
    {.names = "radtest", .bare = 2},
    {.names = "wbinfo", .user = "a", .separator = '%'},
    {.names = "myproxy-logon hostapd_cli", .words = true},
    {.names = "stomp", .next = "W"},
    {.names = "squidclient", .next = "w"},
    {.names = "openai ss-server ss-local ss-redir ss-tunnel", .next = "k"},
    {.names = "ip", .verbs = "enc auth auth-trunc aead", .bare = 2},
    {.names = "adb", .words = true},
    {.names = "netsh", .hides = "keyMaterial"},
    {.names = "confluent", .verbs = "store", .bare = 2},
    {.names = "drush", .verbs = "user:password upwd", .bare = 2},
    {.names = "nifi.sh", .verbs = "set-single-user-credentials", .bare = 2},
    {.names = "steamcmd", .verbs = "+login", .bare = 2},
    {.names = "keyctl", .verbs = "add padd update", .bare = 3},
    {.names = "prefect", .verbs = "login", .next = "k"},
    {.names = "mix", .hides = "key"},
    {.names = "sops", .hides = "set"},
    {.names = "sops", .verbs = "set", .bare = 3},
    {.names = "mvn sonar-scanner gradle gradlew mvnw", .hides = "Dsonar.login Dsonar.token"},
    {.names = "databricks", .hides = "string-value"},
    {.names = "aescrypt mcrypt scrypt", .next = "pk", .glued = "p"},
    {.names = "schtasks", .hides = "rp p"},
    {.names = "vault bao", .verbs = "put patch", .pairs = true},
    {.names = "vault bao", .hides = "secret_id id value"},
    {.names = "neo4j-admin", .verbs = "set-initial-password set-default-admin", .bare = 1},
    {.names = "bundle", .verbs = "config set", .bare = 2},
    {.names = "jq gojq jaq", .verbs = "--arg"},
    {.names = "curl",
     .user = "uUE",
     .longs = "user proxy-user cert proxy-cert",
     .flags = "#0123456789aBfgGiIjJklLMnNOpqRsSvVZ"},
    {.names = "curl", .user = "b", .longs = "cookie", .separator = '='},
    {.names = "http https httpie xh xhs", .next = "a", .glued = "a", .flags = "fjvbhSdIp"},
    {.names = "mount mount.cifs", .longs = "user username", .separator = '%'},
    {.names = "smbclient", .bare = 2},
    {.names = "net", .verbs = "use USE", .bare = 3},
    {.names = "transmission-remote", .user = "n"},
    {.names = "yt-dlp youtube-dl unar lsar psexec PsExec psexec64 impacket-psexec",
     .glued = "p",
     .next = "p"},
    {.names = "knife", .glued = "P", .next = "P"},
    {.names = "swift", .next = "K", .glued = "K"},
    {.names = "b2", .verbs = "authorize-account authorize", .bare = 1},
    {.names = "wandb", .verbs = "login", .bare = 1},
    {.names = "mc mcli", .verbs = "set add", .bare = 3},
    {.names = "virsh", .verbs = "set-user-password", .bare = 3},
    {.names = "iwconfig iw", .verbs = "key", .bare = 1},
    {.names = "pulumi", .verbs = "--secret", .bare = 1},
    {.names = "poetry composer", .verbs = "config", .bare = 3},
    {.names = "consul nomad serf", .hides = "encrypt"},
    {.names = "aws", .verbs = "put-parameter", .hides = "value"},
    {.names = "az", .verbs = "secret", .hides = "value"},
    {.names = "fly flyctl doppler gh eb railway", .verbs = "secrets secret", .pairs = true},
    {.names = "ConvertTo-SecureString", .bare = 1},
    {.names = "jq yq gojq jaq dvc papermill", .words = true},
    {.names = "sshpass", .glued = "p", .next = "p", .flags = "ev"},
    {.names = "lftp open", .user = "u", .separator = ','},
    {.names = "ncftp ncftpget ncftpput ncftpls", .glued = "p", .next = "p"},
    {.names = "smbclient rpcclient smbget net smbcacls smbmap nmblookup",
     .user = "U",
     .longs = "user",
     .separator = '%'},
    {.names = "smbmap crackmapexec nxc netexec evil-winrm hydra medusa xfreerdp wlfreerdp rdesktop "
              "wmic winexe",
     .glued = "p",
     .next = "p"},
    {.names = "snmpwalk snmpget snmpset snmpbulkwalk snmpbulkget snmpgetnext snmptrap snmptable "
              "snmpstatus snmpdf",
     .glued = "AXc",
     .next = "AXc"},
    {.names = "ipmitool", .glued = "P", .next = "P"},
    {.names = "ipmipower ipmi-sensors ipmiconsole bmc-info ipmi-chassis racadm esxcli perccli",
     .glued = "p",
     .next = "p"},
    {.names = "mosquitto_pub mosquitto_sub mosquitto_rr", .glued = "P", .next = "P"},
    {.names = "wpa_passphrase", .bare = 2},
    {.names = "nmcli netsh iwctl wpa_cli wg", .words = true},
    {.names = "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ldapmodrdn ldapexop",
     .glued = "w",
     .next = "w",
     .flags = "xLZvncMCAWu"},
    {.names = "ldappasswd", .glued = "wsa", .next = "wsa", .flags = "xZvnCAWS"},
    {.names = "slappasswd", .glued = "s", .next = "s"},
    /* databases */
    {.names = "mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlbinlog mysqlslap "
              "mysqlpump mysqlsh mariadb mariadb-dump mariadb-admin mariadb-import mariadb-show "
              "mariadb-check mariadb-backup xtrabackup innobackupex",
     .glued = "p",
     .flags = "ABbCEfGgHiLNnoqrstVvwX"},
    {.names = "mysqladmin mariadb-admin", .verbs = "password", .bare = 1},
    {.names = "mycli supervisorctl synapse", .glued = "p", .next = "p"},
    {.names = "mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop "
              "mongofiles",
     .glued = "p",
     .next = "p"},
    {.names = "redis-cli redis-benchmark keydb-cli valkey-cli iredis", .glued = "a", .next = "a"},
    {.names = "redis-cli keydb-cli valkey-cli", .verbs = "auth AUTH", .bare = 1},
    {.names = "redis-cli keydb-cli valkey-cli", .verbs = "acl ACL", .bare = 3},
    {.names = "redis-cli keydb-cli valkey-cli redis-server valkey-server", .words = true},
    {.names = "sqlcmd bcp osql isql tsql", .glued = "P", .next = "P"},
    {.names = "isql iusql", .bare = 3},
    {.names = "sqlplus sqlldr exp imp expdp impdp rman sql sqlcl",
     .longs = "userid target catalog auxiliary",
     .separator = '/'},
    {.names = "cqlsh beeline hdbsql clickhouse-benchmark nodetool couchbase-cli cbq",
     .glued = "p",
     .next = "p"},
    {.names = "vsql", .glued = "w", .next = "w"},
    {.names = "db2 pdftk", .words = true},
    {.names = "db2", .verbs = "using USING", .bare = 1},
    {.names = "influx", .next = "tp", .glued = "tp"},
    {.names = "etcdctl", .longs = "user"},
    {.names = "neo4j-admin cypher-shell", .glued = "p", .next = "p"},
    {.names = "elasticsearch-users", .glued = "p", .next = "p"},
    {.names = "rabbitmqadmin", .glued = "p", .next = "p"},
    {.names = "rabbitmqctl", .verbs = "add_user change_password authenticate_user", .bare = 2},
    /* archives and keys */
    {.names = "zip zipcloak unzip zipinfo funzip",
     .glued = "P",
     .next = "P",
     .flags = "0123456789abcdefghjlmnopqruvyzACDFLMTUVX"},
    {.names = "7z 7za 7zr 7zz p7zip", .glued = "p"},
    {.names = "rar unrar", .glued = "p", .flags = "h"},
    {.names = "arj unace", .glued = "gp"},
    {.names = "qpdf", .verbs = "--encrypt", .bare = 1},
    {.names = "mutool pdfcrack steghide fcrackzip veracrypt truecrypt", .glued = "p", .next = "p"},
    {.names = "ssh-keygen ssh-add", .glued = "NP", .next = "NP"},
    {.names = "openssl", .verbs = "passwd", .bare = 1},
    {.names = "openssl", .hides = "hmac macopt", .next = "kK"},
    {.names = "htpasswd", .bare = 2},
    {.names = "mkpasswd", .bare = 1},
    {.names = "useradd usermod adduser newusers", .glued = "p", .next = "p"},
    {.names = "kadmin kadmin.local", .glued = "w", .next = "w"},
    {.names = "security",
     .verbs = "unlock-keychain add-generic-password add-internet-password "
              "set-keychain-password create-keychain import",
     .glued = "wpPko",
     .next = "wpPko"},
    {.names = "signtool", .glued = "p", .next = "p", .hides = "p"},
    {.names = "bw", .verbs = "unlock", .bare = 1},
    {.names = "bw", .verbs = "login", .bare = 2},
    {.names = "ansible-vault", .verbs = "encrypt_string", .bare = 1},
    {.names = "rclone", .verbs = "obscure", .bare = 1},
    /* clouds, registries, forges */
    {.names = "docker podman nerdctl buildah skopeo helm oras crane oc cf az ibmcloud rancher "
              "argocd tsh tkn odo",
     .verbs = "login",
     .glued = "p",
     .next = "pt"},
    {.names = "az", .verbs = "create reset create-for-rbac", .next = "p"},
    {.names = "cf", .verbs = "auth", .bare = 2},
    {.names = "vault bao cargo", .verbs = "login unseal", .bare = 1},
    {.names = "ngrok", .verbs = "authtoken add-authtoken", .bare = 1},
    {.names = "grafana-cli grafana", .verbs = "reset-admin-password", .bare = 1},
    {.names = "samba-tool net", .verbs = "create setpassword user", .bare = 2},
    {.names = "twine poetry flit", .glued = "p", .next = "p"},
    {.names = "codecov netlify vercel fly flyctl doctl surge sentry-cli railway turbo linode-cli",
     .next = "t"},
    {.names = "nuget dotnet", .verbs = "source sources", .glued = "p", .next = "p"},
    {.names = "nuget dotnet", .verbs = "push setapikey", .next = "k"},
    {.names = "nuget", .verbs = "setapikey setApiKey", .bare = 1},
    {.names = "gh", .verbs = "secret variable", .glued = "b", .next = "b", .hides = "body"},
    {.names = "kubectl oc k3s microk8s kustomize",
     .verbs = "secret secrets",
     .longs = "from-literal",
     .separator = '='},
    {.names = "sipp swaks sendemail sendEmail vmrun xtrabackup caddy keytool",
     .hides = "ap xp gp plaintext srcstorepass new"},
    {.names = "p4", .glued = "P", .next = "P"},
};

const size_t redact_programs_n = sizeof redact_programs / sizeof *redact_programs;

bool redact_listed(const char *list, const char *word, size_t n)
{
	for (const char *p = list; *p; p += *p == ' ') {
		size_t same = 0;
		while (same < n && p[same] == word[same])
			same++;
		if (same == n && (p[n] == ' ' || p[n] == '\0'))
			return true;
		while (*p && *p != ' ')
			p++;
	}
	return false;
}

const char *redact_base(const char *path, size_t *n)
{
	const char *base = path;

	for (size_t i = 0; i < *n; i++)
		if (path[i] == '/' || path[i] == '\\')
			base = path + i + 1;
	*n -= (size_t)(base - path);
	if (*n > 4 && memcmp(base + *n - 4, ".exe", 4) == 0)
		*n -= 4;
	return base;
}
